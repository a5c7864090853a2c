import { sameId } from "../../../javascript/src/index.js";
import { h } from "../ui/dom.js";
import { rubberBand, swipeDirection, WheelSwipe } from "../ui/gestures.js";
import { followTouch } from "../ui/touch.js";
import { placeholderArticle, renderArticle } from "./article.js";

/**
 * A page of a carousel.
 *
 * @typedef {object} Page
 * @property {any} id
 * @property {any} item undefined while it is loading
 *
 * @typedef {-1 | 1} Direction
 */

/** Shows a page between its neighbors. Swiping moves to one of them. */
export class Carousel {
  element;
  #track = h("div", { class: "track" });
  /** The left, middle and right one. */
  #panels = [panel(), panel(), panel()];
  /** @type {(Page | null)[]} the pages that they show */
  #pages = [null, null, null];
  #onMove;
  /** How items are shown. */
  display = /** @type {import("../text/item-display.js").Display} */ ({});
  #wheel = new WheelSwipe();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #restTimer;

  /** @param {(direction: Direction) => Promise<unknown>} goes requests a move; resolves when the result is known */
  constructor(goes) {
    this.#onMove = goes;
    this.#track.append(...this.#panels);
    this.element = h("div", { class: "carousel" }, this.#track);
    followTouch(this.element, {
      claims: ({ axis }) => axis === "x",
      moved: ({ dx }) => this.#drag(dx),
      left: ({ dx }, speed) => this.#finishDrag(swipeDirection(dx, speed, this.#width)),
      cancelled: () => this.#slideTo(0),
    });
    this.element.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
  }

  /**
   * Shows a page between its neighbors. If it was a neighbor before, it slides from there.
   *
   * @param {Page | null} previous
   * @param {Page} page
   * @param {Page | null} next
   */
  show(previous, page, next) {
    const shown = this.#pages[1];
    const moved = shown && !sameId(shown.id, page.id) ? [-1, 1].find((side) => sameId(this.#pages[1 + side]?.id, page.id)) : 0;
    const offset = this.#offset;
    const focused = this.#panels[1]?.contains(document.activeElement);
    if (moved === 1) this.#rotate(1);
    else if (moved === -1) this.#rotate(-1);
    [previous, page, next].forEach((wanted, place) => this.#showPage(place, wanted));
    if (moved === 0) return;
    // A panel that leaves the middle can't keep the focus.
    if (focused) this.focus();
    this.#jumpTo(moved === undefined ? 0 : Math.max(-this.#width, Math.min(this.#width, offset + moved * this.#width)));
    this.#slideTo(0);
  }

  focus() {
    this.#panels[1]?.focus({ preventScroll: true });
  }

  /**
   * Moves to a neighbor if there is one.
   *
   * @param {Direction} direction
   */
  go(direction) {
    this.#finishDrag(direction);
  }

  get #width() {
    return this.element.clientWidth || 1;
  }

  /** The current offset of the track, also while it slides. */
  get #offset() {
    return new DOMMatrixReadOnly(getComputedStyle(this.#track).transform).m41;
  }

  /** @param {Direction} direction */
  #rotate(direction) {
    for (const ring of [this.#panels, this.#pages]) {
      if (direction > 0) ring.push(/** @type {any} */ (ring.shift()));
      else ring.unshift(/** @type {any} */ (ring.pop()));
    }
  }

  /**
   * @param {number} place
   * @param {Page | null} page
   */
  #showPage(place, page) {
    const element = /** @type {HTMLElement} */ (this.#panels[place]);
    const old = this.#pages[place];
    element.style.left = `${(place - 1) * 100}%`;
    element.inert = place !== 1;
    element.tabIndex = place === 1 ? 0 : -1;
    this.#pages[place] = page;
    if (old && page && sameId(old.id, page.id) && old.item === page.item) return;
    if (!sameId(old?.id, page?.id)) element.scrollTop = 0;
    element.replaceChildren(...(page ? [page.item === undefined ? placeholderArticle() : renderArticle(page.item, this.display)] : []));
  }

  /** @param {number} dx */
  #drag(dx) {
    const beside = this.#pages[dx > 0 ? 0 : 2];
    this.#jumpTo(beside ? dx : rubberBand(dx, this.#width / 4));
  }

  /** @param {-1 | 0 | 1} direction */
  #finishDrag(direction) {
    if (direction === 0 || !this.#pages[1 + direction]) return this.#slideTo(0);
    this.#slideTo(-direction * this.#width);
    const from = this.#pages[1]?.id;
    const stay = () => {
      if (sameId(this.#pages[1]?.id, from)) this.#slideTo(0);
    };
    this.#onMove(direction).then(stay, stay);
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    if (event.ctrlKey || Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    // Otherwise the browser would go back in its history.
    event.preventDefault();
    const direction = this.#wheel.scrolled(event.deltaX, event.timeStamp, this.#width);
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.#wheel.reset();
      this.#slideTo(0);
    }, WheelSwipe.REST_TIME);
    if (direction !== 0) this.#finishDrag(direction);
    else if (this.#wheel.offset !== 0) this.#drag(this.#wheel.offset);
  }

  /** @param {number} offset */
  #jumpTo(offset) {
    this.#track.classList.remove("sliding");
    this.#track.style.transform = `translateX(${offset}px)`;
  }

  /** @param {number} offset */
  #slideTo(offset) {
    // Reading the width makes the browser apply the position from which the track slides.
    void this.#track.offsetWidth;
    this.#track.classList.add("sliding");
    this.#track.style.transform = `translateX(${offset}px)`;
  }
}

function panel() {
  return h("div", { class: "panel", tabindex: -1 });
}
