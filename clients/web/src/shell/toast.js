import { h } from "../ui/dom.js";

/** How long a message is shown, in milliseconds. */
const DURATION = 5000;

/** Shows what has just happened, at the bottom of the page. */
export class Toast {
  // Screen readers read live regions only if they were on the page before their text.
  element = h("div", { class: "toast", role: "status" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #leaving;

  /** @param {string} text */
  show(text) {
    clearTimeout(this.#leaving);
    this.element.replaceChildren(h("p", {}, text));
    this.#leaving = setTimeout(() => this.element.replaceChildren(), DURATION);
  }
}
