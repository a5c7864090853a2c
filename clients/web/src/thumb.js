import { ListWindow } from "../../javascript/src/index.js";
import { h, setText } from "./dom.js";

/** Screenfuls from which on a list is so long that it has a thumb of its own. */
const LONG = 4;
/** The least height that a finger finds, in pixels. */
const LEAST = 44;

/** What a long list is scrolled by from one end to the other, and what is there while that is done. */
export class Thumb {
  #label = h("span", { class: "thumb-label" });
  #thumb = h("div", { class: "thumb" }, this.#label);
  // For eyes and hands alone: for others there are keys, and rows say where they stand.
  element = h("div", { class: "scrollbar", "aria-hidden": "true", hidden: true }, this.#thumb);
  #listener;
  #height = LEAST;
  /** @type {number | null} where on the thumb it is held, in pixels from its top; null while nobody does */
  #grip = null;

  /**
   * @param {object} listener
   * @param {(share: number) => void} listener.goes to a place between 0, the list's beginning, and 1, its end
   * @param {(distance: number) => void} listener.turns a wheel, over the thumb
   * @param {() => string} listener.place what is there
   */
  constructor(listener) {
    this.#listener = listener;
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.#hold(event));
    element.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => this.#leave());
    element.addEventListener("wheel", ({ deltaY, deltaMode }) => listener.turns(deltaY * (deltaMode === 0 ? 1 : 40)), { passive: true });
  }

  /**
   * @param {import("./listed.js").Listed} items
   * @param {import("./scroll.js").Scroll} scroll
   */
  show(items, { top, height, full }) {
    const long = items instanceof ListWindow && full > LONG * height;
    this.element.hidden = !long;
    if (!long) return;
    this.#height = Math.max(LEAST, (height * height) / full);
    const place = Math.min(1, top / (full - height)) * (height - this.#height);
    this.#thumb.style.height = `${this.#height}px`;
    this.#thumb.style.transform = `translateY(${place}px)`;
    if (this.#grip !== null) setText(this.#label, this.#listener.place());
  }

  /** @param {PointerEvent} event */
  #hold(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const box = this.#thumb.getBoundingClientRect();
    const held = event.clientY >= box.top && event.clientY <= box.bottom;
    this.#grip = held ? event.clientY - box.top : this.#height / 2;
    this.element.setPointerCapture(event.pointerId);
    this.element.classList.add("held");
    this.#drag(event);
  }

  /** @param {PointerEvent} event */
  #drag({ clientY }) {
    if (this.#grip === null) return;
    const { top, height } = this.element.getBoundingClientRect();
    const share = (clientY - top - this.#grip) / (height - this.#height);
    this.#listener.goes(Math.max(0, Math.min(share, 1)));
  }

  #leave() {
    this.#grip = null;
    this.element.classList.remove("held");
  }
}
