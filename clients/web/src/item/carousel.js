import { sameId } from "../../../javascript/src/index.js";
import { h } from "../ui/dom.js";
import { rubberBand, swipeDirection, WheelSwipe } from "../ui/gestures.js";
import { followTouch } from "../ui/touch.js";
import { placeholderArticle, renderArticle } from "./article.js";

/**
 * What can be beside and in a carousel.
 *
 * @typedef {object} Page
 * @property {any} id
 * @property {any} item what is drawn; undefined while it is on its way
 *
 * @typedef {-1 | 1} Direction
 */

/** A page between its neighbours: it follows the finger, and comes to rest on one of them. */
export class Carousel {
  element;
  #track = h("div", { class: "track" });
  /** Left, middle and right. */
  #panels = [panel(), panel(), panel()];
  /** @type {(Page | null)[]} what they show */
  #pages = [null, null, null];
  #onMove;
  /** How items are drawn. */
  display = /** @type {import("../text/item-display.js").Display} */ ({});
  #wheel = new WheelSwipe();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #restTimer;

  /**
   * @param {(direction: Direction) => Promise<unknown>} goes tells whoever has the pages; resolves when that has said
   *   what came of it
   */
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
   * Shows a page between its neighbours. If it was a neighbour, it slides on from where it is.
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
    // What leaves the middle can't keep the focus.
    if (focused) this.focus();
    this.#jumpTo(moved === undefined ? 0 : Math.max(-this.#width, Math.min(this.#width, offset + moved * this.#width)));
    this.#slideTo(0);
  }

  focus() {
    this.#panels[1]?.focus({ preventScroll: true });
  }

  /**
   * Goes to a neighbour, if there is one.
   *
   * @param {Direction} direction
   */
  go(direction) {
    this.#finishDrag(direction);
  }

  get #width() {
    return this.element.clientWidth || 1;
  }

  /** Where the track is now, on its way or at rest. */
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
    // The browser would go back to the page before this one.
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
    // The browser must have seen where it slides from.
    void this.#track.offsetWidth;
    this.#track.classList.add("sliding");
    this.#track.style.transform = `translateX(${offset}px)`;
  }
}

function panel() {
  return h("div", { class: "panel", tabindex: -1 });
}
