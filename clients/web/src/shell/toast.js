import { h } from "../ui/dom.js";

/** Milliseconds for which a message is shown. */
const DURATION = 5000;

/** What has just happened, at the bottom of the screens, for a while. */
export class Toast {
  // The region is on the page before it has a text: screen readers wouldn't read it out otherwise.
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
