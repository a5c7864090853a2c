import { dateOf, dayName, isDay } from "../text/dates.js";
import { formatAmount } from "../text/format.js";
import { textOf } from "../text/value.js";
import { h, setText } from "../ui/dom.js";

/** @typedef {{key: any, start: number, count: number | null}} Section neighboring rows with the same key */

/** The headings of a list's sections. The heading of the first visible row sticks to the top. */
export class SectionHeadings {
  #now = h("div", { class: "heading now" });
  #layer = h("div", { class: "headings", "aria-hidden": "true" });
  /** @type {HTMLElement[]} */
  #marks = [];
  #rows;

  /** @param {import("./rows.js").Rows} rows */
  constructor(rows) {
    this.#rows = rows;
    rows.element.before(this.#now);
    rows.element.prepend(this.#layer);
  }

  /** @param {Section[]} sections in the order of their rows */
  draw(sections) {
    const { visible, row, shift } = this.#rows.scroll;
    const now = sectionAt(sections, visible.start);
    this.#now.hidden = sections.length === 0;
    setText(this.#now, now ? headingOf(now) : " ");
    const begun = sections.filter(({ start }) => start > visible.start && start < visible.end);
    while (this.#marks.length < begun.length) this.#marks.push(this.#layer.appendChild(h("div", { class: "heading" })));
    this.#marks.forEach((mark, place) => {
      const section = begun[place];
      mark.hidden = !section;
      if (!section) return;
      setText(mark, headingOf(section));
      mark.style.transform = `translateY(${section.start * row + shift}px) translateY(-50%)`;
    });
  }
}

/**
 * Returns the section of a row, if it is known.
 *
 * @param {Section[]} sections
 * @param {number} index
 */
export function sectionAt(sections, index) {
  return sections.filter(({ start, count }) => start <= index && (count === null || index < start + count)).at(-1);
}

/** @param {Section} section */
function headingOf(section) {
  const name = sectionName(section);
  return section.count === null ? name : `${name} · ${formatAmount(section.count)}`;
}

/**
 * Returns the name of a section: its day, or the value that its rows have in common.
 *
 * @param {Section} section
 */
export function sectionName({ key }) {
  const day = isDay(key) ? dateOf(key) : null;
  return day ? dayName(day, new Date()) : textOf(key) || "–";
}
