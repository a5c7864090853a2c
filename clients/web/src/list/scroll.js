import { layoutOffset, MAX_PIXELS, topToReveal, visibleRows } from "./scroll-geometry.js";

/**
 * The scroll position of a list of any length. The browser scrolls the part that is laid out. When it reaches an end of the part
 * that isn't an end of the list, another part is laid out.
 */
export class Scroll {
  /** The scroll position in the list, in pixels. */
  top = 0;
  /** The height of the visible part. */
  height = 0;
  /** The height of a row. */
  row = 1;
  #count = 0;
  #element;
  #list;
  /** The offset from a position in the list to the same position in the part that is laid out. */
  shift = 0;

  /**
   * @param {HTMLElement} element the scroller
   * @param {HTMLElement} list the element that is scrolled
   */
  constructor(element, list) {
    this.#element = element;
    this.#list = list;
  }

  /** Sets the number of rows. */
  set count(/** @type {number} */ count) {
    if (count === this.#count) return;
    this.#count = count;
    this.#updateHeight();
  }

  /**
   * @param {number} height of the visible part
   * @param {number} row height
   */
  measure(height, row) {
    this.height = height;
    this.row = row;
    this.#updateHeight();
  }

  /** Sets the height of the part that is laid out. */
  #updateHeight() {
    const extent = Math.min(this.fullHeight, MAX_PIXELS);
    this.#list.style.height = `${extent}px`;
    if (this.shift <= 0 && this.fullHeight + this.shift >= extent) return;
    this.to(this.top);
    this.apply();
  }

  /** The height of the list. */
  get fullHeight() {
    return this.#count * this.row;
  }

  get visible() {
    return visibleRows({ ...this, count: this.#count });
  }

  /**
   * Sets the scroll position. {@link apply} must be called after the rows there are drawn.
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
   * Returns the nearest scroll position at which a row is entirely visible.
   *
   * @param {number} index
   */
  topToReveal(index) {
    return topToReveal(index, this);
  }

  /**
   * Moves the scroll position by a distance, because rows above have come or gone.
   *
   * @param {number} distance
   */
  by(distance) {
    // Away from the ends only the offset changes. The browser scrolls nothing, which would disturb a finger or wheel.
    const stays = this.fullHeight > MAX_PIXELS && !this.#isAtEnd(this.top + this.shift);
    const place = this.top + this.shift;
    this.to(this.top + distance);
    if (stays) this.shift = place - this.top;
  }

  /** Follows the browser's scroll position. */
  follow() {
    const place = this.#element.scrollTop;
    this.top = place - this.shift;
    if (this.fullHeight <= MAX_PIXELS || !this.#isAtEnd(place)) return;
    const there = layoutOffset(this.top, this.fullHeight);
    if (Math.abs(there - place) < 1) return;
    this.shift = there - this.top;
    this.apply();
  }

  /**
   * Whether a position is near an end of the part that is laid out.
   *
   * @param {number} place
   */
  #isAtEnd(place) {
    const near = MAX_PIXELS / 8;
    return place < near || place > MAX_PIXELS - near;
  }
}
