import { h, setText } from "../ui/dom.js";

/** Screenfuls from which on a list of known length has a thumb of its own. */
const MIN_SCREENFULS = 4;
/** The least height that a finger finds, in pixels. */
const MIN_HEIGHT = 44;

/** What a long list is scrolled by from one end to the other, and what is there while that is done. */
export class ScrollThumb {
  #label = h("span", { class: "thumb-label" });
  #thumb = h("div", { class: "thumb" }, this.#label);
  // For eyes and hands alone: for others there are keys, and rows say where they stand.
  element = h("div", { class: "scrollbar", "aria-hidden": "true", hidden: true }, this.#thumb);
  #listener;
  #height = MIN_HEIGHT;
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
    element.addEventListener("pointerdown", (event) => this.#grab(event));
    element.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => this.#release());
    element.addEventListener("wheel", ({ deltaY, deltaMode }) => listener.turns(deltaY * (deltaMode === 0 ? 1 : 40)), { passive: true });
  }

  /**
   * @param {import("./scroll.js").Scroll} scroll
   * @param {boolean} isWindow whether any place of the list can be gone to
   * @param {boolean} isOpen whether that may turn out when somebody takes the thumb
   */
  show({ top, height, fullHeight }, isWindow, isOpen) {
    const isShown = this.#grip !== null || (isWindow && fullHeight > MIN_SCREENFULS * height) || (isOpen && fullHeight > height);
    this.element.hidden = !isShown;
    if (!isShown) return;
    this.#height = Math.max(MIN_HEIGHT, (height * height) / fullHeight);
    const place = Math.min(1, top / Math.max(1, fullHeight - height)) * (height - this.#height);
    this.#thumb.style.height = `${this.#height}px`;
    // Of a long list it doesn't move with each row.
    this.#thumb.style.transform = `translateY(${Math.round(place)}px)`;
    if (this.#grip !== null) setText(this.#label, this.#listener.place());
  }

  /** @param {PointerEvent} event */
  #grab(event) {
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

  #release() {
    this.#grip = null;
    this.element.classList.remove("held");
  }
}
