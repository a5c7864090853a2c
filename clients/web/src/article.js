import { h } from "./dom.js";
import { paint, write } from "./row.js";
import { describe, humane } from "./words.js";

/**
 * An item at length.
 *
 * @param {any} item
 */
export function article(item) {
  const { title, person, moment, amount, facts, texts } = describe(item);
  const paragraphs = texts.map((text) => written("p", text));
  return h("article", {}, written("h2", title), byline(person, moment, amount), properties(facts), ...paragraphs);
}

/** What stands for an item that is on its way. */
export function awaitedArticle() {
  const lines = Array.from({ length: 6 }, () => h("div", { class: "line" }));
  return h("article", { class: "skeleton", "aria-hidden": "true" }, h("div", { class: "line heading" }), ...lines);
}

/**
 * @param {string} person
 * @param {Date | null} moment
 * @param {string} amount
 */
function byline(person, moment, amount) {
  if (!person && !moment && !amount) return null;
  const portrait = h("span", { class: "portrait", "aria-hidden": "true" });
  paint(portrait, person);
  const told = moment?.toLocaleString([], { dateStyle: "long", timeStyle: "short" });
  const when = moment && h("time", { datetime: moment.toISOString() }, told);
  const names = h("div", {}, person ? written("div", person, "person") : null, when);
  const sum = amount ? h("strong", { class: "amount" }, amount) : null;
  return h("div", { class: "byline" }, person ? portrait : null, names, sum);
}

/** @param {[name: string, value: string][]} facts */
function properties(facts) {
  if (facts.length === 0) return null;
  return h("dl", {}, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, humane(name)), linked(value))));
}

/**
 * A value, as a link if it is the address of a page: no other address does anything.
 *
 * @param {string} value
 */
function linked(value) {
  if (!/^https?:\/\/\S+$/.test(value)) return written("dd", value);
  return h("dd", {}, h("a", { href: value, target: "_blank", rel: "noopener noreferrer" }, value));
}

/**
 * @param {"h2" | "p" | "dd" | "div"} name
 * @param {string} text
 * @param {string} [style]
 */
function written(name, text, style) {
  const element = h(name, style ? { class: style } : {});
  write(element, text);
  return element;
}
