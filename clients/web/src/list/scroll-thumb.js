import { h, setText } from "../ui/dom.js";

/** The length of a list, in screenfuls, from which on it has a thumb. */
const MIN_SCREENFULS = 4;
/** The least height that a finger can grab, in pixels. */
const MIN_HEIGHT = 44;

/** The thumb that scrolls a long list, with a label for the position. */
export class ScrollThumb {
  #label = h("span", { class: "thumb-label" });
  #thumb = h("div", { class: "thumb" }, this.#label);
  // Screen readers don't need it: there are keys, and rows have their numbers.
  element = h("div", { class: "scrollbar", "aria-hidden": "true", hidden: true }, this.#thumb);
  #listener;
  #height = MIN_HEIGHT;
  /** @type {number | null} where the thumb is held, in pixels from its top; null while it isn't */
  #grip = null;

  /**
   * @param {object} listener
   * @param {() => void} listener.onGrab the user grabs the thumb
   * @param {(share: number) => void} listener.onScroll scrolls to a share of the list, from 0 to 1
   * @param {(distance: number) => void} listener.onWheel scrolls by the wheel, in pixels
   * @param {() => string} listener.label returns the label
   */
  constructor(listener) {
    this.#listener = listener;
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.#grab(event));
    element.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => this.#release());
    element.addEventListener("wheel", ({ deltaY, deltaMode }) => listener.onWheel(deltaY * (deltaMode === 0 ? 1 : 40)), { passive: true });
  }

  /**
   * @param {import("./scroll.js").Scroll} scroll
   * @param {boolean} isWindow whether any position of the list can be reached
   * @param {boolean} isOpen whether this is found out when the user grabs the thumb
   */
  show({ top, height, fullHeight }, isWindow, isOpen) {
    const isShown = this.#grip !== null || (isWindow && fullHeight > MIN_SCREENFULS * height) || (isOpen && fullHeight > height);
    this.element.hidden = !isShown;
    if (!isShown) return;
    this.#height = Math.max(MIN_HEIGHT, (height * height) / fullHeight);
    const place = Math.min(1, top / Math.max(1, fullHeight - height)) * (height - this.#height);
    this.#thumb.style.height = `${this.#height}px`;
    // Rounded, so that it doesn't move with each row of a long list.
    this.#thumb.style.transform = `translateY(${Math.round(place)}px)`;
    if (this.#grip !== null) setText(this.#label, this.#listener.label());
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
    this.#listener.onGrab();
    // Grabbing the thumb where it is doesn't scroll.
    if (!held) this.#drag(event);
  }

  /** @param {PointerEvent} event */
  #drag({ clientY }) {
    if (this.#grip === null) return;
    const { top, height } = this.element.getBoundingClientRect();
    const share = (clientY - top - this.#grip) / (height - this.#height);
    this.#listener.onScroll(Math.max(0, Math.min(share, 1)));
  }

  #release() {
    this.#grip = null;
    this.element.classList.remove("held");
  }
}
