import { loadArticleExtras } from "../lazy.js";
import { paint, write } from "../list/row.js";
import { describe, labelOf, languageOf } from "../text/item-display.js";
import { linked } from "../text/links.js";
import { h } from "../ui/dom.js";

/**
 * An item at length.
 *
 * @param {any} item
 * @param {import("../text/item-display.js").Display} display
 */
export function article(item, display) {
  const { facts, texts, files, ...words } = describe(item, display);
  const attached = files.length > 0 ? later(({ attachments }) => attachments(files), () => "") : "";
  return h("article", {}, written("h2", words.title), byline(words), properties(facts), ...texts.map(read), attached);
}

/**
 * A long text. What is more than its words is drawn by what comes after the first rows.
 *
 * @param {import("../text/item-display.js").Text} text
 */
function read(text) {
  const lang = languageOf(text.text) || false;
  const words = () => h("p", { dir: "auto", lang }, ...linked(text.text));
  return text.format === "text" ? words() : later(({ body }) => h("div", { lang }, body(text)), words);
}

/**
 * A place for what comes after the first rows.
 *
 * @param {(reading: typeof import("./article-extras.js")) => Node} draw
 * @param {() => Node | string} instead without a network it may not come
 */
function later(draw, instead) {
  const place = h("div");
  void loadArticleExtras().then(draw).catch(instead).then((drawn) => place.replaceWith(drawn));
  return place;
}

/** What stands for an item that is on its way. */
export function awaitedArticle() {
  const lines = Array.from({ length: 6 }, () => h("div", { class: "line" }));
  return h("article", { class: "skeleton", "aria-hidden": "true" }, h("div", { class: "line heading" }), ...lines);
}

/** @param {Omit<import("../text/item-display.js").Words, "facts" | "texts" | "files">} words */
function byline({ title, person, moment, day, amount, badge, image }) {
  if (!person && !moment && !amount && !badge && !image) return null;
  const portrait = h("span", { class: "portrait", "aria-hidden": "true" });
  paint(portrait, person || title, image);
  const told = moment?.toLocaleString([], { dateStyle: "long", ...(!day && { timeStyle: "short" }) });
  const when = moment && h("time", { datetime: day || moment.toISOString() }, told);
  const names = h("div", {}, person ? written("div", person, "person") : null, when);
  const sum = amount ? h("strong", { class: "amount" }, amount) : null;
  const sign = badge ? written("span", badge, "badge") : null;
  return h("div", { class: "byline" }, person || image ? portrait : null, names, sign, sum);
}

/** @param {import("../text/item-display.js").Fact[]} facts */
function properties(facts) {
  if (facts.length === 0) return null;
  const rows = facts.map(([name, value, column]) => {
    const picture = column?.format === "image" && /^(https?:|data:image\/)/i.test(value);
    const said = picture ? [h("img", { src: value, alt: name, class: "picture", referrerpolicy: "no-referrer" })] : linked(value);
    return h("div", {}, h("dt", {}, labelOf(name, column)), h("dd", { dir: "auto", lang: languageOf(value) || false }, ...said));
  });
  return h("dl", {}, ...rows);
}

/**
 * @param {"h2" | "span" | "div"} name
 * @param {string} text
 * @param {string} [style]
 */
function written(name, text, style) {
  // Each text goes in its own direction.
  const element = h(name, { dir: "auto", ...(style && { class: style }) });
  write(element, text);
  return element;
}
