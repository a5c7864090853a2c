import { sameId } from "../../javascript/src/index.js";
import { h } from "./dom.js";
import { Foot } from "./notice.js";
import { Row } from "./row.js";
import { reveal, windowOf } from "./window.js";
import { identity } from "./words.js";

let lists = 0;

/**
 * A list of any length, of which only those rows are on the page that are in sight, and a few more.
 *
 * @typedef {object} Listener
 * @property {(item: any) => void} opens
 * @property {(start: number, end: number) => void} sees these rows are in sight, from `start` to the one before `end`
 * @property {() => void} reachesBottom the user has come to the end
 */
export class Rows {
  /** What is scrolled: the rows, and below them what there is to say at their end. */
  element;
  foot = new Foot();
  #list;
  #name = `rows-${++lists}`;
  #listener;
  /** @type {readonly any[]} */
  #items = [];
  /** @type {readonly any[]} rows of a session that is gone, until those of the next have come */
  #kept = [];
  /** Rows below the items that are on their way. */
  #awaited = 0;
  /** @type {Row[]} */
  #rows = [];
  #active = 0;
  /** @type {any} the id of the item that is open beside the list */
  #opened;
  #height = 0;
  #row = 1;
  #top = 0;
  #atBottom = false;
  #seen = "";

  /**
   * @param {string} label
   * @param {Listener} listener
   */
  constructor(label, listener) {
    this.#listener = listener;
    this.#list = h("div", { class: "rows", role: "listbox", tabindex: 0, "aria-label": label, id: this.#name });
    this.element = h("div", { class: "scroller" }, this.#list, this.foot.element);
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("click", ({ target }) => this.#click(/** @type {Element} */ (target)));
    new ResizeObserver(() => this.#measure()).observe(this.element);
  }

  get items() {
    return this.#items;
  }

  /** How many rows are on their way, below those that are there. */
  set awaited(/** @type {number} */ count) {
    this.#awaited = count;
    this.#list.setAttribute("aria-busy", String(count > 0));
    this.draw();
  }

  /** The id of the item that is open beside the list, or undefined. */
  set opened(/** @type {any} */ id) {
    this.#opened = id;
    this.draw();
  }

  /** @param {readonly any[]} items */
  setItems(items) {
    if (items === this.#items) return;
    const active = this.#follow(items, this.#active) ?? 0;
    const first = Math.floor(this.#top / this.#row);
    const moved = this.#follow(items, first);
    this.#items = items;
    if (this.#kept.length > 0) return this.draw();
    this.#active = active;
    if (moved !== null && moved !== first) this.scrollTo(this.#top + (moved - first) * this.#row);
    this.draw();
  }

  /** Goes on showing what is there until it has come again. */
  keep() {
    if (this.#items.length > this.#kept.length) this.#kept = this.#items;
  }

  /** What has not come again doesn't come. */
  letGo() {
    if (this.#kept.length === 0) return;
    this.#kept = [];
    this.#active = Math.max(0, Math.min(this.#active, this.#items.length - 1));
    this.draw();
  }

  focus() {
    this.#list.focus({ preventScroll: true });
  }

  /** @param {number} top in pixels */
  scrollTo(top) {
    this.#top = Math.max(0, top);
    this.draw();
    this.element.scrollTop = this.#top;
  }

  /**
   * Makes a row the active one, and shows it.
   *
   * @param {number} index
   */
  moveTo(index) {
    this.#active = Math.max(0, Math.min(index, this.#items.length - 1));
    this.scrollTo(reveal(this.#active, { top: this.#top, height: this.#height, row: this.#row, count: this.#count }));
  }

  /** Comes into sight again, where it was. */
  appear() {
    this.#measure();
    this.element.scrollTop = this.#top;
  }

  draw() {
    if (this.#height === 0) return;
    const count = this.#count;
    const window = windowOf({ top: this.#top, height: this.#height, row: this.#row, count });
    this.#list.style.height = `${window.extent}px`;
    this.#fit(window.last - window.first);
    const size = this.#rows.length;
    for (let index = window.first; index < window.last; index += 1) {
      const item = this.#items[index] ?? this.#kept[index];
      const active = index === this.#active && index < this.#items.length;
      const opened = item !== undefined && this.#opened !== undefined && sameId(identity(item), this.#opened);
      const place = index * this.#row + window.shift;
      const state = { id: `${this.#name}-${index}`, count: this.#items.length, active, opened, place };
      /** @type {Row} */ (this.#rows[index % size]).show(index, item, state);
    }
    this.#tellActive(window.first, window.last);
    this.#tellSight(window.start, window.end);
  }

  get #count() {
    return Math.max(this.#items.length, this.#kept.length) + this.#awaited;
  }

  /**
   * The row of another list that has the same item, if there is one.
   *
   * @param {readonly any[]} items
   * @param {number} index
   */
  #follow(items, index) {
    const item = this.#items[index];
    if (item === undefined || items[index] === item) return index;
    const id = identity(item);
    if (sameId(identity(items[index]), id)) return index;
    const found = items.findIndex((other) => sameId(identity(other), id));
    return found < 0 ? null : found;
  }

  /**
   * Has as many rows on the page as are drawn.
   *
   * @param {number} count
   */
  #fit(count) {
    while (this.#rows.length < count) {
      const row = new Row();
      this.#rows.push(row);
      this.#list.append(row.element);
    }
    for (const row of this.#rows.splice(count)) row.element.remove();
  }

  #measure() {
    if (this.element.clientHeight === 0) return;
    const probe = new Row();
    this.#list.append(probe.element);
    const row = probe.element.offsetHeight;
    probe.element.remove();
    const first = this.#top / this.#row;
    this.#height = this.element.clientHeight;
    if (row !== this.#row && this.#row > 1) this.#top = first * row;
    this.#row = row;
    this.draw();
  }

  #scrolled() {
    // A hidden list has no place of its own.
    if (this.element.clientHeight === 0) return;
    this.#top = this.element.scrollTop;
    this.draw();
    const { scrollHeight, clientHeight } = this.element;
    const atBottom = this.#top + clientHeight >= scrollHeight - 2;
    if (atBottom && !this.#atBottom) this.#listener.reachesBottom();
    this.#atBottom = atBottom;
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #tellActive(first, last) {
    const there = this.#active >= first && this.#active < Math.min(last, this.#items.length);
    if (there) this.#list.setAttribute("aria-activedescendant", `${this.#name}-${this.#active}`);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #tellSight(start, end) {
    const sight = `${start} ${end} ${this.#items.length}`;
    if (sight === this.#seen) return;
    this.#seen = sight;
    this.#listener.sees(start, end);
  }

  /** @param {Element} target */
  #click(target) {
    const row = /** @type {HTMLElement | null} */ (target.closest(".row"));
    const index = Number(row?.dataset["index"]);
    if (row && index < this.#items.length) this.#open(index);
  }

  /** @param {number} index */
  #open(index) {
    this.moveTo(index);
    const item = this.#items[index];
    if (item !== undefined) this.#listener.opens(item);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#height / this.#row) - 1);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (event.key === "Enter" || event.key === " ") this.#open(this.#active);
    else if (step === undefined) return;
    else {
      if (step > 0 && this.#active === this.#items.length - 1) this.#listener.reachesBottom();
      this.moveTo(this.#active + step);
    }
    event.preventDefault();
  }
}
