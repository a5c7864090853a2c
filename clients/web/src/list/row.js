import { shortDate } from "../text/dates.js";
import { describe, joinFacts } from "../text/item-display.js";
import { stopAnimations } from "../ui/animations.js";
import { h, setText } from "../ui/dom.js";
import { setLocalizedText } from "../ui/localized-text.js";
import { drawPortrait } from "../ui/portrait.js";

/** The most characters of a text that a row shows. No line has room for more. */
const MAX_LINE = 400;

/** A row on the page. It is reused for other items. */
export class Row {
  element;
  #portrait = h("span", { class: "portrait", "aria-hidden": "true" });
  #title = h("span", { class: "row-title", dir: "auto" });
  #when = h("span", { class: "row-when" });
  #second = h("span", { class: "row-second", dir: "auto" });
  #third = h("span", { class: "row-third", dir: "auto" });
  #badge = h("span", { class: "badge" });
  /** Shows whether the item's edits are being sent or were refused. */
  #edit = h("span", { class: "row-when" });
  #display;
  /** @type {any} */
  #item;
  #index = -1;

  /** @param {import("../text/item-display.js").Display} display */
  constructor(display) {
    this.#display = display;
    const first = h("span", { class: "row-first" }, this.#title, display.badge ? this.#badge : null, this.#when);
    const texts = h("span", { class: "row-texts" }, first, this.#second, this.#third);
    this.element = h("div", { class: "row" }, this.#portrait, texts);
  }

  /**
   * @param {number} index
   * @param {any} item undefined while it is loading
   * @param {{id: string, count: number, active: boolean, opened: boolean, marked: boolean, place: number, pending?: string | undefined}} state
   */
  show(index, item, { id, count, active, opened, marked, place, pending }) {
    const { element } = this;
    element.style.transform = `translateY(${place}px)`;
    element.classList.toggle("active", active);
    element.classList.toggle("marked", marked);
    if (this.#index < 0 || this.#item !== item) this.#draw(item);
    const failed = pending === "failed";
    setText(this.#edit, failed ? "Not sent" : pending === "sending" ? "Sending…" : "");
    this.#edit.classList.toggle("failed", failed);
    if (pending) this.#when.before(this.#edit);
    this.#index = index;
    element.dataset["index"] = String(index);
    element.id = id;
    if (item === undefined) return;
    element.setAttribute("aria-posinset", String(index + 1));
    element.setAttribute("aria-setsize", String(count));
    element.setAttribute("aria-selected", String(opened));
    if (marked) element.setAttribute("aria-checked", "true");
    else element.removeAttribute("aria-checked");
  }

  /** @param {any} item */
  #draw(item) {
    const { element } = this;
    // The animation belongs to the previous item.
    if (this.#item !== item) stopAnimations(element);
    this.#item = item;
    element.classList.toggle("skeleton", item === undefined);
    if (item === undefined) {
      element.setAttribute("role", "presentation");
      for (const name of ["aria-setsize", "aria-posinset", "aria-selected"]) element.removeAttribute(name);
      element.classList.remove("unread", "read");
      for (const part of [this.#portrait, this.#title, this.#badge, this.#when, this.#second, this.#third]) setText(part, "");
      return;
    }
    element.setAttribute("role", "option");
    const { title, person, date, day, amount, badge, image, facts, texts, files, unread } = describe(item, this.#display);
    element.classList.toggle("unread", unread === true);
    element.classList.toggle("read", unread === false);
    drawPortrait(this.#portrait, (person || title).slice(0, MAX_LINE), image);
    setLocalizedText(this.#title, title.slice(0, MAX_LINE));
    setLocalizedText(this.#badge, badge.slice(0, MAX_LINE));
    setLocalizedText(this.#when, date ? shortDate(date, new Date(), day !== "") : amount);
    setLocalizedText(this.#second, [files.length > 0 ? `📎 ${files.length}` : "", person, joinFacts(facts)].filter(Boolean).join(" · ").slice(0, MAX_LINE));
    setLocalizedText(this.#third, texts[0] ? firstLine(texts[0]) : "");
  }
}

/**
 * Returns the beginning of a long text as one line.
 *
 * @param {import("../text/item-display.js").Text} text
 */
function firstLine({ text, format }) {
  const start = text.slice(0, MAX_LINE);
  if (format === "html") return start.replace(/<(script|style)\b.*?(<\/\1>|$)|<[^>]*(>|$)/gis, " ").trim();
  // Markdown's marks are before or after a word or line. `C#` and `snake_case` contain none.
  return format === "markdown" ? start.replace(/^[^\S\n]*(#{1,6}|>)\s/gm, "").replace(/(?<![\p{L}\p{N}])[*_`~]+|[*_`~]+(?![\p{L}\p{N}])/gu, "").trim() : start;
}
