import { loadArticleExtras } from "../lazy.js";
import { describe, labelOf } from "../text/item-display.js";
import { withLinks } from "../text/links.js";
import { h } from "../ui/dom.js";
import { languageOf, setLocalizedText } from "../ui/localized-text.js";
import { drawPortrait, isPictureURL, loadPicture } from "../ui/portrait.js";
import { remoteImagesButton } from "./remote-images.js";

/**
 * Renders all that is known of an item.
 *
 * @param {any} item
 * @param {import("../text/item-display.js").Display} display
 */
export function renderArticle(item, display) {
  const { facts, texts, files, ...words } = describe(item, display);
  const attached = files.length > 0 ? whenLoaded(({ renderAttachments }) => renderAttachments(files), () => "") : "";
  /** @type {import("../ui/portrait.js").RemotePictures} */
  const held = [];
  const title = textElement("h2", words.title);
  const shown = [byline(words, held), properties(facts, held)];
  // The button's focus goes to the title.
  if (held.length > 0) title.tabIndex = -1;
  return h("article", {}, title, remoteImagesButton(held, title), ...shown, ...texts.map(renderText), attached);
}

/**
 * Renders a long text. Formatted texts are rendered by a module that is loaded lazily.
 *
 * @param {import("../text/item-display.js").Text} text
 */
function renderText(text) {
  const lang = languageOf(text.text) || false;
  const words = () => h("p", { dir: "auto", lang }, ...withLinks(text.text));
  return text.format === "text" ? words() : whenLoaded(({ renderBody }) => h("div", { lang }, renderBody(text)), words);
}

/**
 * Creates an element that is replaced when a module is loaded.
 *
 * @param {(reading: typeof import("./article-extras.js")) => Node} draw
 * @param {() => Node | string} instead used if the module can't be loaded
 */
function whenLoaded(draw, instead) {
  const place = h("div");
  void loadArticleExtras().then(draw).catch(instead).then((drawn) => place.replaceWith(drawn));
  return place;
}

/** Renders the placeholder for an item that is loading. */
export function placeholderArticle() {
  const lines = Array.from({ length: 6 }, () => h("div", { class: "line" }));
  return h("article", { class: "skeleton", "aria-hidden": "true" }, h("div", { class: "line heading" }), ...lines);
}

/**
 * @param {Omit<import("../text/item-display.js").ItemDescription, "facts" | "texts" | "files">} words
 * @param {import("../ui/portrait.js").RemotePictures} held
 */
function byline({ title, person, date, day, amount, badge, image }, held) {
  if (!person && !date && !amount && !badge && !image) return null;
  const portrait = h("span", { class: "portrait", "aria-hidden": "true" });
  drawPortrait(portrait, person || title, image, held);
  const text = date?.toLocaleString([], { dateStyle: "long", ...(!day && { timeStyle: "short" }) });
  const when = date && h("time", { datetime: day || date.toISOString() }, text);
  const names = h("div", {}, person ? textElement("div", person, "person") : null, when);
  const sum = amount ? h("strong", { class: "amount" }, amount) : null;
  const sign = badge ? textElement("span", badge, "badge") : null;
  return h("div", { class: "byline" }, person || image ? portrait : null, names, sign, sum);
}

/**
 * @param {import("../text/item-display.js").Fact[]} facts
 * @param {import("../ui/portrait.js").RemotePictures} held
 */
function properties(facts, held) {
  if (facts.length === 0) return null;
  const rows = facts.map(([name, value, column]) => {
    const picture = column?.format === "image" && isPictureURL(value) ? h("img", { alt: name, class: "picture", referrerpolicy: "no-referrer" }) : null;
    if (picture) loadPicture(picture, value, held);
    const content = picture ? [picture] : withLinks(value);
    return h("div", {}, h("dt", {}, labelOf(name, column)), h("dd", { dir: "auto", lang: languageOf(value) || false }, ...content));
  });
  return h("dl", {}, ...rows);
}

/**
 * @param {"h2" | "span" | "div"} name
 * @param {string} text
 * @param {string} [style]
 */
function textElement(name, text, style) {
  // Each text has its own direction.
  const element = h(name, { dir: "auto", ...(style && { class: style }) });
  setLocalizedText(element, text);
  return element;
}
