import { dateOf, dayName, isDay } from "../text/dates.js";
import { formatAmount } from "../text/format.js";
import { textOf } from "../text/value.js";
import { h, setText } from "../ui/dom.js";

/** @typedef {{key: any, start: number, count: number | null}} Section neighbours that have something in common */

/** Headings of a list's sections: the one that is in sight sticks above the rows, and others stand where their rows begin. */
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

  /** @param {Section[]} sections in their order */
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
 * The section that a row belongs to, as far as that is known.
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
 * What a section is called: a day as people call it, and else what its rows have in common.
 *
 * @param {Section} section
 */
export function sectionName({ key }) {
  const day = isDay(key) ? dateOf(key) : null;
  return day ? dayName(day, new Date()) : textOf(key) || "–";
}
