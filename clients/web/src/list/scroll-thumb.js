import { h, setText } from "../ui/dom.js";

/** Screenfuls from which on a list of known length has a thumb of its own. */
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
   * @param {() => void} listener.holds somebody takes it
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
   * @param {import("./scroll.js").Scroll} scroll
   * @param {boolean} isWindow whether any place of the list can be gone to
   * @param {boolean} isOpen whether that may turn out when somebody takes the thumb
   */
  show({ top, height, full }, isWindow, isOpen) {
    const isShown = this.#grip !== null || (isWindow && full > LONG * height) || (isOpen && full > height);
    this.element.hidden = !isShown;
    if (!isShown) return;
    this.#height = Math.max(LEAST, (height * height) / full);
    const place = Math.min(1, top / Math.max(1, full - height)) * (height - this.#height);
    this.#thumb.style.height = `${this.#height}px`;
    // Of a long list it doesn't move with each row.
    this.#thumb.style.transform = `translateY(${Math.round(place)}px)`;
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
    this.#listener.holds();
    // Who takes it where it is goes nowhere yet.
    if (!held) this.#drag(event);
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
