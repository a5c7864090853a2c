import { body, linked } from "./body.js";
import { h } from "./dom.js";
import { paint, write } from "./row.js";
import { describe, humane, languageOf } from "./words.js";

/**
 * An item at length.
 *
 * @param {any} item
 * @param {import("./words.js").Display} display
 */
export function article(item, display) {
  const { facts, texts, ...words } = describe(item, display);
  const long = texts.map((text) => body(text, languageOf(text.text)));
  return h("article", {}, written("h2", words.title), byline(words), properties(facts), ...long);
}

/** What stands for an item that is on its way. */
export function awaitedArticle() {
  const lines = Array.from({ length: 6 }, () => h("div", { class: "line" }));
  return h("article", { class: "skeleton", "aria-hidden": "true" }, h("div", { class: "line heading" }), ...lines);
}

/** @param {Omit<import("./words.js").Words, "facts" | "texts">} words */
function byline({ title, person, moment, amount, badge, image }) {
  if (!person && !moment && !amount && !badge && !image) return null;
  const portrait = h("span", { class: "portrait", "aria-hidden": "true" });
  paint(portrait, person || title, image);
  const told = moment?.toLocaleString([], { dateStyle: "long", timeStyle: "short" });
  const when = moment && h("time", { datetime: moment.toISOString() }, told);
  const names = h("div", {}, person ? written("div", person, "person") : null, when);
  const sum = amount ? h("strong", { class: "amount" }, amount) : null;
  const sign = badge ? written("span", badge, "badge") : null;
  return h("div", { class: "byline" }, person || image ? portrait : null, names, sign, sum);
}

/** @param {import("./words.js").Fact[]} facts */
function properties(facts) {
  if (facts.length === 0) return null;
  const rows = facts.map(([name, value, column]) => {
    const picture = column?.format === "image" && /^(https?:|data:image\/)/i.test(value);
    const said = picture ? [h("img", { src: value, alt: name, class: "picture", referrerpolicy: "no-referrer" })] : linked(value);
    return h("div", {}, h("dt", {}, column?.name ?? humane(name)), h("dd", { lang: languageOf(value) || false }, ...said));
  });
  return h("dl", {}, ...rows);
}

/**
 * @param {"h2" | "span" | "div"} name
 * @param {string} text
 * @param {string} [style]
 */
function written(name, text, style) {
  const element = h(name, style ? { class: style } : {});
  write(element, text);
  return element;
}
