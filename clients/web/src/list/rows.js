import { sameId } from "../../../javascript/src/index.js";
import { idOf } from "../text/item-display.js";
import { animateRemoval, flashNew, prefersReducedMotion, slideFrom } from "../ui/animations.js";
import { h } from "../ui/dom.js";
import { Footer } from "../ui/notice.js";
import { heldRows, indexOfItem, itemAt, NO_ITEMS } from "./items.js";
import { handleRowInput } from "./row-input.js";
import { commonShift, indexMap } from "./row-moves.js";
import { Row } from "./row.js";
import { Scroll } from "./scroll.js";
import { swipeOut } from "./swipe-to-remove.js";

let lists = 0;
/** The most rows above the visible ones that are checked for new items. */
const MAX_COUNTED_ABOVE = 1000;
/** The least rows that are drawn beyond the visible ones. */
const MIN_SPARE = 2;
/** The number of rows for which space is reserved below an expected position. */
const SPARE = 40;

/**
 * @typedef {import("./items.js").ListItems} Listed
 * @typedef {{index: number, id: any, offset: number}} RowPosition the first visible row, its item's id, and by how many pixels it is scrolled out
 *
 * A list of any length. Only the visible rows and a few around them are in the document.
 *
 * @typedef {object} RowListener
 * @property {(item: any) => void} onOpen
 * @property {(start: number, end: number) => void} onVisible rows from `start` to before `end` are visible
 * @property {() => void} onBottom the user has reached the end
 * @property {() => void} [onScroll]
 * @property {() => void} [onDraw] rows may show other items than before
 * @property {(count: number) => void} [onNewAbove] the number of new items above the visible rows that the user hasn't seen has changed
 * @property {(item: any) => Promise<unknown>} [onSwipe] the user has swiped a row away. Resolves when the list is without it, or keeps it
 * @property {string} [swipeIcon] the icon below a row that is swiped away
 * @property {(item: any, place: {x: number, y: number}) => void} [onMenu]
 * @property {(items: readonly any[], only: boolean) => void} [onMark] marks items, or toggles the mark of a single one
 * @property {() => boolean} [goToEnd] goes to the end of the list if it isn't loaded; returns whether it does
 * @property {() => void} [onMarkAll]
 * @property {(item: any) => boolean} [isMarked]
 * @property {(item: any) => string | undefined} [pendingState] of an item whose edits aren't finished
 * @property {(key: string) => boolean} [isActionKey]
 */
export class Rows {
  /** The scroller: the rows and the footer. */
  element;
  foot = new Footer();
  #list;
  #name = `rows-${++lists}`;
  #listener;
  #display;
  /** @type {Listed} */
  #items = NO_ITEMS;
  /** @type {Pick<Listed, "length" | "at">} rows of the lost session, until those of the next are loaded */
  #previous = NO_ITEMS;
  /** Placeholders below the items. */
  #placeholders = 0;
  /** @type {Row[]} */
  #rows = [];
  /** How many rows the items have moved while their row elements were kept. */
  #rotation = 0;
  /** The drawn rows, and whether as placeholders. */
  #drawn = { first: 0, last: 0, shift: 0, rushes: false };
  #active = 0;
  /** @type {any} the id of the item that is open next to the list */
  #opened;
  scroll;
  #atBottom = false;
  #reportedRange = "";
  /** New items above the visible rows since the user was at the first row. */
  #newAbove = 0;
  /** @type {Set<any>} new items that haven't been visible yet */
  #unseen = new Set();
  /** @type {RowPosition | null} the user's position in the lost session, until the rows there are loaded */
  #expected = null;
  /** @type {{item: any, later: Listed | null, isEarlier: boolean} | null} the row under the finger. Changes of the list wait until it is released */
  #dragged = null;
  /** @type {{item: any, dx: number} | null} the row that was swiped away, until the list is without it */
  #swiped = null;
  /** Puts the row that was swiped away back in its place. */
  #putBack = () => {};
  /** Whether the user scrolls too fast to read. Then rows are drawn as placeholders. */
  #isRushing = false;
  /** Successive frames in which the list was scrolled by more than a screenful. */
  #fastFrames = 0;
  #rushFrame = 0;

  /**
   * @param {string} label
   * @param {import("../text/item-display.js").Display} display
   * @param {RowListener} listener
   */
  constructor(label, display, listener) {
    this.#listener = listener;
    this.#display = display;
    this.#list = h("div", { class: "rows", role: "listbox", tabindex: 0, "aria-label": label, id: this.#name });
    this.element = h("div", { class: "scroller" }, this.#list, this.foot.element);
    this.scroll = new Scroll(this.element, this.#list);
    this.element.addEventListener("scroll", () => this.#onScroll(), { passive: true });
    handleRowInput(this.#list, this, listener);
    if (listener.onSwipe) {
      this.#putBack = swipeOut(this.#list, {
        icon: listener.swipeIcon ?? "",
        takes: (row) => this.#grab(row),
        out: (dx) => this.#swipeOut(dx),
        back: () => this.#release(),
      });
    }
    new ResizeObserver(() => this.#measure()).observe(this.element);
  }

  get items() {
    return this.#items;
  }

  /** Sets the number of placeholders below the items. */
  set placeholders(/** @type {number} */ count) {
    this.#placeholders = count;
    this.#list.setAttribute("aria-busy", String(count > 0));
    this.draw();
  }

  /** Sets the id of the item that is open next to the list; undefined if none is. */
  set opened(/** @type {any} */ id) {
    this.#opened = id;
    this.draw();
  }

  /** The item that keys apply to; undefined if it isn't loaded. */
  get active() {
    return itemAt(this.#items, this.#active);
  }

  get activeIndex() {
    return this.#active;
  }

  /** How many rows a page key moves. */
  get perPage() {
    return Math.max(1, Math.floor(this.scroll.height / this.scroll.row) - 1);
  }

  /**
   * Returns the element of a drawn row.
   *
   * @param {number} index
   */
  elementAt(index) {
    return this.#rowAt(index)?.element;
  }

  /** @param {number} index */
  #rowAt(index) {
    const size = this.#rows.length;
    return this.#rows[(((index - this.#rotation) % size) + size) % size];
  }

  /**
   * Shows other items. Visible rows keep their position while rows above them come and go, except at the very top.
   *
   * @param {Listed} items
   * @param {boolean} [earlier] whether rows above the others are the previous page, not new
   */
  setItems(items, earlier = false) {
    if (this.#dragged) {
      this.#dragged.later = items;
      this.#dragged.isEarlier ||= earlier;
      return;
    }
    if (items === this.#items) return;
    this.#putBack();
    const before = this.#items;
    const was = this.#snapshot(items);
    const { top, places, start, end } = was;
    const shift = top > 0 || earlier ? commonShift(places, start, end) : 0;
    this.#items = items;
    if (this.#previous.length > 0) return this.draw();
    this.#active = Math.max(0, Math.min(places(this.#active) ?? this.#active, items.length - 1));
    // The height must be up to date before scrolling.
    this.scroll.count = this.#count;
    if (shift !== 0) this.scroll.by(shift * this.scroll.row);
    this.#rotation += shift;
    this.draw();
    if (shift !== 0) this.scroll.apply();
    if (before.length > 0 && this.scroll.height > 0 && !earlier) this.#animateChange(before, items, was);
  }

  /** Keeps showing the current rows until they are loaded again. */
  keepShowing() {
    if (this.#items.length > this.#previous.length) this.#previous = this.#items;
  }

  /** The user's position in the lost session, while the rows there aren't loaded. */
  get expected() {
    return this.#expected;
  }

  /** The user's position. */
  get position() {
    const { top, row } = this.scroll;
    const index = Math.floor(top / row);
    return { index, id: idOf(itemAt(this.#items, index), this.#display) ?? null, offset: Math.round(top - index * row) };
  }

  /**
   * Reserves space for rows around a position of the lost session.
   *
   * @param {RowPosition} place
   */
  expectPosition(place) {
    this.#expected = place;
    if (this.#previous.length === 0) this.#previous = { length: place.index + 1 + SPARE, at: () => undefined };
  }

  /**
   * Replaces the kept rows of the lost session by the current items.
   *
   * @param {number} [found] the new index of the first visible row
   */
  showCurrent(found = indexOfItem(this.#items, this.#expected?.id, this.#display)) {
    if (this.#previous.length === 0) return;
    this.#previous = NO_ITEMS;
    this.#active = Math.max(0, Math.min(this.#active, this.#items.length - 1));
    const expected = this.#expected;
    this.#expected = null;
    if (!expected) return this.draw();
    const index = found < 0 ? expected.index : found;
    this.#active = Math.max(0, Math.min(index, this.#items.length - 1));
    this.scrollTo(index * this.scroll.row + expected.offset);
  }

  focus() {
    this.#list.focus({ preventScroll: true });
  }

  /** @param {number} top in pixels */
  scrollTo(top) {
    this.scroll.to(top);
    this.draw();
    this.scroll.apply();
  }

  /** Scrolls to the first row; the last part is animated. */
  goUp() {
    this.scrollTo(Math.min(this.scroll.top, 2 * this.scroll.height));
    this.element.scrollTo({ top: 0, behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  /**
   * Makes a row active and scrolls as little as possible to show it.
   *
   * @param {number} index
   */
  moveTo(index) {
    this.#active = Math.max(0, Math.min(index, this.#items.length - 1));
    this.scrollTo(this.scroll.topToReveal(this.#active));
  }

  /**
   * Makes a row active. If it isn't visible, it is scrolled to the top.
   *
   * @param {number} index
   */
  goTo(index) {
    const { visible, row } = this.scroll;
    if (index < visible.start || index >= visible.end) this.scrollTo(index * row);
    this.moveTo(index);
  }

  /** Restores the scroll position when the list becomes visible again. */
  appear() {
    this.#measure();
    this.scroll.apply();
  }

  draw() {
    if (this.scroll.height === 0) return;
    this.scroll.count = this.#count;
    const window = this.scroll.visible;
    this.#ensureRows(window.last - window.first);
    for (let index = window.first; index < window.last; index += 1) {
      const item = this.#isRushing ? undefined : itemAt(this.#items, index) ?? this.#previous.at(index) ?? undefined;
      const active = index === this.#active && index < this.#items.length;
      const opened = item !== undefined && this.#opened !== undefined && sameId(idOf(item, this.#display), this.#opened);
      const place = index * this.scroll.row + this.scroll.shift;
      const marked = item !== undefined && this.#listener.isMarked?.(item) === true;
      const pending = this.#listener.pendingState?.(item);
      const state = { id: `${this.#name}-${index}`, count: this.#items.length, active, opened, marked, place, pending };
      const row = /** @type {Row} */ (this.#rowAt(index));
      row.show(index, item, state);
      if (index >= window.start && index < window.end && this.#unseen.delete(item)) flashNew(row.element);
    }
    this.#drawn = { first: window.first, last: window.last, shift: this.scroll.shift, rushes: this.#isRushing };
    this.#updateActiveDescendant(window.first, window.last);
    this.#listener.onDraw?.();
    // Rows that rush past aren't reported as visible.
    if (!this.#isRushing) this.#reportVisible(window.start, window.end);
  }

  /** Reports the visible rows again. */
  reportVisibleAgain() {
    this.#reportedRange = "";
    this.draw();
  }

  get #count() {
    return Math.max(this.#items.length, this.#previous.length) + this.#placeholders;
  }

  /**
   * The visible rows, their positions on the screen, and their indexes in another list.
   *
   * @param {Listed} items
   */
  #snapshot(items) {
    const { top, row, visible } = this.scroll;
    const y = (/** @type {number} */ index) => index * row - top;
    return { top, y, start: visible.start, end: Math.min(visible.end, this.#items.length), places: indexMap(this.#items, items, this.#display) };
  }

  /**
   * Animates how rows come, move and go.
   *
   * @param {Listed} before
   * @param {Listed} after
   * @param {{y: (index: number) => number, places: (index: number) => number | null, start: number, end: number}} was before the change
   */
  #animateChange(before, after, was) {
    const came = indexMap(after, before, this.#display);
    const now = this.#snapshot(after);
    const stays = range(now.start, now.end).filter((index) => came(index) !== null);
    const gone = range(was.start, was.end).filter((index) => was.places(index) === null);
    // Nothing has moved if the lists have nothing in common.
    if (stays.length === 0 && gone.length !== 1) return this.#reportNewAbove(0);
    const last = /** @type {number} */ (stays.at(-1) ?? Infinity);
    const { height } = this.scroll;
    for (const index of range(now.start, now.end)) {
      const row = /** @type {Row} */ (this.#rowAt(index)).element;
      const from = came(index);
      const dy = from === null ? 0 : was.y(from) - now.y(index);
      if (dy !== 0) slideFrom(row, Math.max(-height, Math.min(dy, height)));
      // Rows after the others are the next page.
      if (from === null && index < last) flashNew(row);
    }
    for (const index of gone) this.#animateLeaving(index, itemAt(before, index), was.y(index) + now.top + this.scroll.shift);
    const { start } = heldRows(after);
    // Of rows that aren't loaded only the number is known.
    let above = start > 0 ? this.#newAbove + Math.max(0, start - (came(start) ?? start)) : this.#newAbove;
    for (const index of range(start, Math.min(now.start, start + MAX_COUNTED_ABOVE))) {
      if (came(index) !== null) continue;
      above += 1;
      this.#unseen.add(itemAt(after, index));
    }
    this.#reportNewAbove(now.top > 0 ? above : 0);
  }

  /**
   * @param {number} index
   * @param {any} item
   * @param {number} place where it is visible, in pixels
   */
  #animateLeaving(index, item, place) {
    const thrown = this.#swiped?.item === item ? this.#swiped : null;
    if (thrown) this.#swiped = null;
    if (prefersReducedMotion()) return;
    const row = new Row(this.#display);
    row.show(index, item, { id: "", count: 0, active: false, opened: false, marked: false, place });
    row.element.removeAttribute("role");
    row.element.setAttribute("aria-hidden", "true");
    row.element.classList.add("leaving");
    this.#list.append(row.element);
    animateRemoval(row.element, thrown?.dx ?? 0);
  }

  /** @param {number} count */
  #reportNewAbove(count) {
    if (count === this.#newAbove) return;
    this.#newAbove = count;
    this.#listener.onNewAbove?.(count);
  }

  /** @param {HTMLElement} row */
  #grab(row) {
    const item = itemAt(this.#items, Number(row.dataset["index"]));
    if (item === undefined) return false;
    this.#dragged = { item, later: null, isEarlier: false };
    return true;
  }

  #release() {
    const dragged = this.#dragged;
    this.#dragged = null;
    if (dragged?.later) this.setItems(dragged.later, dragged.isEarlier);
  }

  /** @param {number} dx */
  async #swipeOut(dx) {
    const item = this.#dragged?.item;
    this.#swiped = { item, dx };
    this.#release();
    await this.#listener.onSwipe?.(item);
  }

  /**
   * Creates or removes row elements.
   *
   * @param {number} count
   */
  #ensureRows(count) {
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
    const scroll = this.scroll;
    const { index, offset } = this.#expected ?? { index: 0, offset: 0 };
    const top = row === scroll.row ? scroll.top : scroll.row > 1 ? (scroll.top / scroll.row) * row : index * row + offset;
    scroll.measure(this.element.clientHeight, row);
    this.scrollTo(top);
  }

  #onScroll() {
    // Must be read before rows are drawn. After that the browser would have to lay out the page at once.
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    // A hidden list has no scroll position.
    if (clientHeight === 0) return;
    // Row elements are reused.
    if (!this.#dragged) this.#putBack();
    const { top, height } = this.scroll;
    this.scroll.follow();
    this.#setRushing(Math.abs(this.scroll.top - top) > height);
    const { start, end } = this.scroll.visible;
    if (this.#isDrawn(start, end) && this.#unseen.size === 0) this.#reportVisible(start, end);
    else this.draw();
    this.#listener.onScroll?.();
    if (this.scroll.top < this.scroll.row) this.#reportNewAbove(0);
    const atBottom = scrollTop + clientHeight >= scrollHeight - 2;
    if (atBottom && !this.#atBottom) this.#listener.onBottom();
    this.#atBottom = atBottom;
  }

  /**
   * Whether the visible rows and enough around them are drawn for the next frame.
   *
   * @param {number} start
   * @param {number} end
   */
  #isDrawn(start, end) {
    const { first, last, shift, rushes } = this.#drawn;
    const above = first === 0 || start - first >= MIN_SPARE;
    const below = last === this.#count || last - end >= MIN_SPARE;
    return !this.#isRushing && !rushes && shift === this.scroll.shift && above && below && start >= first && end <= last;
  }

  /** @param {boolean} isFast whether the list was scrolled by more than a screenful since the last frame */
  #setRushing(isFast) {
    cancelAnimationFrame(this.#rushFrame);
    this.#fastFrames = isFast ? this.#fastFrames + 1 : 0;
    // A single jump isn't rushing.
    this.#isRushing = this.#fastFrames > 1;
    if (!isFast) return;
    const next = (/** @type {() => void} */ then) => (this.#rushFrame = requestAnimationFrame(then));
    // A callback that is requested before a frame runs in that frame.
    next(() => next(() => {
      this.#fastFrames = 0;
      if (!this.#isRushing) return;
      this.#isRushing = false;
      this.draw();
    }));
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #updateActiveDescendant(first, last) {
    const there = this.#active >= first && this.#active < last && this.active !== undefined;
    if (there) this.#list.setAttribute("aria-activedescendant", `${this.#name}-${this.#active}`);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #reportVisible(start, end) {
    const sight = `${start} ${end} ${this.#items.length}`;
    if (sight === this.#reportedRange) return;
    this.#reportedRange = sight;
    this.#listener.onVisible(start, end);
  }
}

/**
 * @param {number} start
 * @param {number} end
 */
function range(start, end) {
  return Array.from({ length: Math.max(0, end - start) }, (_, place) => start + place);
}
