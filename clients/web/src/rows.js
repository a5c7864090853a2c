import { sameId } from "../../javascript/src/index.js";
import { h } from "./dom.js";
import { leave, shine, slide, wantsStill } from "./motion.js";
import { placesIn, shiftOf } from "./moves.js";
import { Foot } from "./notice.js";
import { Row } from "./row.js";
import { swipeOut } from "./swipe.js";
import { reveal, windowOf } from "./window.js";
import { identity } from "./words.js";

let lists = 0;
/** Rows among which those are counted that are new. */
const MOST_ABOVE = 1000;
/** Rows that may come below the first one in sight. */
const SPARE = 40;

/**
 * @typedef {{index: number, id: any, offset: number}} Place
 *
 * A list of any length, of which only those rows are on the page that are in sight, and a few more.
 *
 * @typedef {object} Listener
 * @property {(item: any) => void} opens
 * @property {(start: number, end: number) => void} sees these rows are in sight, from `start` to the one before `end`
 * @property {() => void} reachesBottom the user has come to the end
 * @property {() => void} [scrolls]
 * @property {() => void} [drawn] other rows may be on the page than before
 * @property {(count: number) => void} [above] so many rows have come above those in sight, which the user hasn't seen
 * @property {(item: any) => void} [removes] the user has swiped this one away
 * @property {string} [sign] what stands below a row that is swiped away
 * @property {(item: any, place: {x: number, y: number}) => void} [asks] what can be done with it?
 * @property {(items: any[], only: boolean) => void} [marks] marks items, or takes the mark of the only one away
 * @property {(item: any) => boolean} [marked]
 */
export class Rows {
  /** What is scrolled: the rows, and below them what there is to say at their end. */
  element;
  foot = new Foot();
  #list;
  #name = `rows-${++lists}`;
  #listener;
  #display;
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
  /** Rows that have come above those in sight since the first row was. */
  #above = 0;
  /** @type {Set<any>} new items that have not been in sight yet */
  #unseen = new Set();
  /** @type {Place | null} where the user was in another session, until the rows there have come */
  #expected = null;
  /** @type {{item: any, later: readonly any[] | null} | null} what a finger holds; nothing changes under it */
  #held = null;
  /** @type {{item: any, dx: number} | null} what a finger has swiped away, until the list is without it */
  #thrown = null;

  /**
   * @param {string} label
   * @param {import("./words.js").Display} display
   * @param {Listener} listener
   */
  constructor(label, display, listener) {
    this.#listener = listener;
    this.#display = display;
    this.#list = h("div", { class: "rows", role: "listbox", tabindex: 0, "aria-label": label, id: this.#name });
    this.element = h("div", { class: "scroller" }, this.#list, this.foot.element);
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("click", (event) => this.#click(event));
    if (listener.asks) this.#list.addEventListener("contextmenu", (event) => this.#ask(event));
    if (listener.removes) {
      swipeOut(this.#list, {
        icon: listener.sign ?? "",
        takes: (row) => this.#take(row),
        out: (dx) => this.#throw(dx),
        back: () => this.#release(),
      });
    }
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

  /** The item that keys are for. */
  get active() {
    return this.#items[this.#active];
  }

  /**
   * Shows other items. What is in sight stays where it is while rows come and go above it; only at the very top, new
   * ones come into sight.
   *
   * @param {readonly any[]} items
   * @param {boolean} [earlier] whether those above are the page before, and nothing new
   */
  setItems(items, earlier = false) {
    if (this.#held) {
      this.#held.later = items;
      return;
    }
    if (items === this.#items) return;
    const before = this.#items;
    const was = this.#sight(items);
    const { top, places, start, end } = was;
    const shift = top > 0 || earlier ? shiftOf(places, start, end) : 0;
    this.#items = items;
    if (this.#kept.length > 0) return this.draw();
    this.#active = Math.max(0, Math.min(places(this.#active) ?? this.#active, items.length - 1));
    if (shift !== 0) this.scrollTo(top + shift * this.#row);
    this.draw();
    if (before.length > 0 && this.#height > 0 && !earlier) this.#move(before, items, was);
  }

  /** Goes on showing what is there until it has come again. */
  keep() {
    if (this.#items.length > this.#kept.length) this.#kept = this.#items;
  }

  /** Whether the rows are still to come where the user was. */
  get expects() {
    return this.#expected !== null;
  }

  /** Where the user is: the first row in sight, the item there, and how far the row is scrolled out. */
  get place() {
    const index = Math.floor(this.#top / this.#row);
    return { index, id: identity(this.#items[index]) ?? null, offset: Math.round(this.#top - index * this.#row) };
  }

  /**
   * Holds a place for rows that are to come, where the user was in another session.
   *
   * @param {Place} place
   */
  expect(place) {
    this.#expected = place;
    this.#kept = Array(place.index + 1 + SPARE).fill(undefined);
  }

  /** What has not come again doesn't come. */
  letGo() {
    if (this.#kept.length === 0) return;
    this.#kept = [];
    this.#active = Math.max(0, Math.min(this.#active, this.#items.length - 1));
    const expected = this.#expected;
    this.#expected = null;
    if (!expected) return this.draw();
    const place = this.#items.findIndex((item) => sameId(identity(item), expected.id));
    this.#stand(place < 0 ? expected.index : place, expected.offset);
  }

  /**
   * @param {number} index
   * @param {number} [offset] pixels
   */
  #stand(index, offset = 0) {
    this.#active = Math.max(0, Math.min(index, this.#items.length - 1));
    this.scrollTo(index * this.#row + offset);
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

  /** Goes to the first row, as far as one can see it going. */
  goUp() {
    this.scrollTo(Math.min(this.#top, 2 * this.#height));
    this.element.scrollTo({ top: 0, behavior: wantsStill() ? "auto" : "smooth" });
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
      const marked = item !== undefined && this.#listener.marked?.(item) === true;
      const state = { id: `${this.#name}-${index}`, count: this.#items.length, active, opened, marked, place };
      const row = /** @type {Row} */ (this.#rows[index % size]);
      row.show(index, item, state);
      if (index >= window.start && index < window.end && this.#unseen.delete(item)) shine(row.element);
    }
    this.#tellActive(window.first, window.last);
    this.#listener.drawn?.();
    this.#tellSight(window.start, window.end);
  }

  get #count() {
    return Math.max(this.#items.length, this.#kept.length) + this.#awaited;
  }

  /**
   * What is in sight, how far below its top, and where its rows are in another list.
   *
   * @param {readonly any[]} items
   */
  #sight(items) {
    const top = this.#top;
    const { start, end, shift } = windowOf({ top, height: this.#height, row: this.#row, count: this.#count });
    const y = (/** @type {number} */ index) => index * this.#row + shift - top;
    return { top, y, start, end: Math.min(end, this.#items.length), places: placesIn(this.#items, items) };
  }

  /**
   * Lets those who look see what has become of the rows: they come, move and go.
   *
   * @param {readonly any[]} before
   * @param {readonly any[]} after
   * @param {{y: (index: number) => number, places: (index: number) => number | null, start: number, end: number}} was
   *   in sight
   */
  #move(before, after, was) {
    const came = placesIn(after, before);
    const now = this.#sight(after);
    const inSight = Array.from({ length: Math.max(0, now.end - now.start) }, (_, place) => now.start + place);
    const stays = inSight.filter((index) => came(index) !== null);
    const seen = Array.from({ length: Math.max(0, was.end - was.start) }, (_, place) => was.start + place);
    const gone = seen.filter((index) => was.places(index) === null);
    // Of another list altogether nothing has moved.
    if (stays.length === 0 && gone.length !== 1) return this.#tellAbove(0);
    const last = /** @type {number} */ (stays.at(-1) ?? Infinity);
    for (const index of inSight) {
      const row = /** @type {Row} */ (this.#rows[index % this.#rows.length]).element;
      const from = came(index);
      const dy = from === null ? 0 : was.y(from) - now.y(index);
      if (dy !== 0) slide(row, Math.max(-this.#height, Math.min(dy, this.#height)));
      // What follows the others is the next page.
      if (from === null && index < last) shine(row);
    }
    for (const index of gone) this.#letLeave(index, before[index], was.y(index) + now.top);
    let above = this.#above;
    for (let index = 0; index < Math.min(now.start, MOST_ABOVE); index += 1) {
      if (came(index) !== null) continue;
      above += 1;
      this.#unseen.add(after[index]);
    }
    this.#tellAbove(now.top > 0 ? above : 0);
  }

  /**
   * @param {number} index
   * @param {any} item
   * @param {number} place where it is seen
   */
  #letLeave(index, item, place) {
    const thrown = this.#thrown?.item === item ? this.#thrown : null;
    if (thrown) this.#thrown = null;
    if (wantsStill()) return;
    const row = new Row(this.#display);
    row.show(index, item, { id: "", count: 0, active: false, opened: false, marked: false, place });
    row.element.removeAttribute("role");
    row.element.setAttribute("aria-hidden", "true");
    row.element.classList.add("leaving");
    this.#list.append(row.element);
    leave(row.element, thrown?.dx ?? 0);
  }

  /** @param {number} count */
  #tellAbove(count) {
    if (count === this.#above) return;
    this.#above = count;
    this.#listener.above?.(count);
  }

  /** @param {HTMLElement} row */
  #take(row) {
    const item = this.#items[Number(row.dataset["index"])];
    if (item === undefined) return false;
    this.#held = { item, later: null };
    return true;
  }

  #release() {
    const later = this.#held?.later;
    this.#held = null;
    if (later) this.setItems(later);
  }

  /** @param {number} dx */
  #throw(dx) {
    const item = this.#held?.item;
    this.#thrown = { item, dx };
    this.#release();
    this.#listener.removes?.(item);
  }

  /**
   * Has as many rows on the page as are drawn.
   *
   * @param {number} count
   */
  #fit(count) {
    while (this.#rows.length < count) {
      const row = new Row(this.#display);
      this.#rows.push(row);
      this.#list.append(row.element);
    }
    for (const row of this.#rows.splice(count)) row.element.remove();
  }

  #measure() {
    if (this.element.clientHeight === 0) return;
    const probe = new Row(this.#display);
    this.#list.append(probe.element);
    const row = probe.element.offsetHeight;
    probe.element.remove();
    const first = this.#top / this.#row;
    this.#height = this.element.clientHeight;
    if (row !== this.#row) this.#top = this.#row > 1 ? first * row : (this.#expected?.index ?? 0) * row + (this.#expected?.offset ?? 0);
    this.#row = row;
    this.draw();
    this.element.scrollTop = this.#top;
  }

  #scrolled() {
    // A hidden list has no place of its own.
    if (this.element.clientHeight === 0) return;
    this.#top = this.element.scrollTop;
    this.draw();
    this.#listener.scrolls?.();
    if (this.#top < this.#row) this.#tellAbove(0);
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

  /**
   * The place of the item that an event is about.
   *
   * @param {Event} event
   */
  #indexOf({ target }) {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".row"));
    const index = Number(row?.dataset["index"] ?? this.#active);
    return row && index < this.#items.length ? index : null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const index = this.#indexOf(event);
    if (index === null) return;
    const { marks } = this.#listener;
    const portrait = /** @type {Element} */ (event.target).closest(".portrait");
    if (marks && event.shiftKey) marks(this.#items.slice(Math.min(index, this.#active), Math.max(index, this.#active) + 1), false);
    else if (marks && (event.ctrlKey || event.metaKey || portrait)) marks([this.#items[index]], true);
    else return this.#open(index);
    this.moveTo(index);
  }

  /** @param {MouseEvent} event */
  #ask(event) {
    // Keys have it as well: then it is about the active one.
    const index = this.#indexOf(event) ?? this.#active;
    const item = this.#items[index];
    if (item === undefined) return;
    event.preventDefault();
    this.moveTo(index);
    const { x, y } = this.#rows[index % this.#rows.length]?.element.getBoundingClientRect() ?? { x: 0, y: 0 };
    this.#listener.asks?.(item, event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: x + 64, y: y + 48 });
  }

  /** @param {number} index */
  #open(index) {
    this.moveTo(index);
    const item = this.#items[index];
    if (item !== undefined) this.#listener.opens(item);
  }

  #askActive() {
    const row = this.#rows[this.#active % this.#rows.length]?.element;
    row?.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { marks } = this.#listener;
    if (marks && (event.ctrlKey || event.metaKey) && event.key === "a") {
      event.preventDefault();
      return marks([...this.#items], false);
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#height / this.#row) - 1);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (event.key === "Enter" || event.key === " ") this.#open(this.#active);
    else if (event.key === "x" && marks && this.active !== undefined) marks([this.active], true);
    else if (event.key === "m" && this.#listener.asks) this.#askActive();
    else if (step === undefined) return;
    else {
      if (step > 0 && this.#active === this.#items.length - 1) this.#listener.reachesBottom();
      const from = this.#active;
      this.moveTo(this.#active + step);
      if (marks && event.shiftKey) marks(this.#items.slice(Math.min(from, this.#active), Math.max(from, this.#active) + 1), false);
    }
    event.preventDefault();
  }
}
