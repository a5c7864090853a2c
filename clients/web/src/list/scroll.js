import { layoutOffset, MAX_PIXELS, topToReveal, visibleRows } from "./scroll-geometry.js";

/**
 * How far a list is scrolled, however long it is. The browser scrolls what is laid out of it; where that comes to its end and
 * the list doesn't, another part of the list is laid out there.
 */
export class Scroll {
  /** How far the list is scrolled, in pixels. */
  top = 0;
  /** The height of what is in sight. */
  height = 0;
  /** A row's height. */
  row = 1;
  #count = 0;
  #element;
  #list;
  /** What is added to a place in the list to have its place in what is laid out. */
  shift = 0;

  /**
   * @param {HTMLElement} element what the browser scrolls
   * @param {HTMLElement} list what is laid out in it
   */
  constructor(element, list) {
    this.#element = element;
    this.#list = list;
  }

  /** How many rows there are. */
  set count(/** @type {number} */ count) {
    if (count === this.#count) return;
    this.#count = count;
    this.#updateHeight();
  }

  /**
   * @param {number} height of what is in sight
   * @param {number} row a row's
   */
  measure(height, row) {
    this.height = height;
    this.row = row;
    this.#updateHeight();
  }

  /** Has as much laid out as there is of the list, and no more. */
  #updateHeight() {
    const extent = Math.min(this.fullHeight, MAX_PIXELS);
    this.#list.style.height = `${extent}px`;
    if (this.shift <= 0 && this.fullHeight + this.shift >= extent) return;
    this.to(this.top);
    this.apply();
  }

  /** The list's height. */
  get fullHeight() {
    return this.#count * this.row;
  }

  get visible() {
    return visibleRows({ ...this, count: this.#count });
  }

  /**
   * Takes a place in the list, which the browser is told by {@link apply} once that place is drawn.
   *
   * @param {number} top
   */
  to(top) {
    this.top = Math.max(0, top);
    this.shift = layoutOffset(this.top, this.fullHeight) - this.top;
  }

  apply() {
    this.#element.scrollTop = this.top + this.shift;
  }

  /**
   * How far to scroll so that a row is wholly in sight.
   *
   * @param {number} index
   */
  topToReveal(index) {
    return topToReveal(index, this);
  }

  /**
   * What is in sight has another place in the list.
   *
   * @param {number} distance
   */
  by(distance) {
    // Where the browser has another place for it anyway, nothing has to be scrolled, and a finger or wheel isn't disturbed.
    const stays = this.fullHeight > MAX_PIXELS && !this.#isAtEnd(this.top + this.shift);
    const place = this.top + this.shift;
    this.to(this.top + distance);
    if (stays) this.shift = place - this.top;
  }

  /** The browser has scrolled. */
  follow() {
    const place = this.#element.scrollTop;
    this.top = place - this.shift;
    if (this.fullHeight <= MAX_PIXELS || !this.#isAtEnd(place)) return;
    const there = layoutOffset(this.top, this.fullHeight);
    if (Math.abs(there - place) < 1) return;
    this.shift = there - this.top;
    this.apply();
  }

  /** @param {number} place whether what is laid out ends near this */
  #isAtEnd(place) {
    const near = MAX_PIXELS / 8;
    return place < near || place > MAX_PIXELS - near;
  }
}
