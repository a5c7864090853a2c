import { button, h, icon, setText } from "../ui/dom.js";

/** Shows that the connection is lost, and when connecting is tried again. */
export class ConnectionBanner {
  #text = h("span", {});
  /** Separate from the text, so that screen readers don't read each second. */
  #countdown = h("span", { "aria-hidden": "true" });
  element;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {() => void} hurry */
  constructor(hurry) {
    const message = h("p", {}, this.#text, this.#countdown);
    const now = button("button", hurry, "Try now");
    this.element = h("div", { class: "banner", role: "status", hidden: true }, icon("offline"), message, now);
  }

  hide() {
    clearInterval(this.#timer);
    this.element.hidden = true;
  }

  /** @param {string} text */
  show(text) {
    clearInterval(this.#timer);
    this.element.hidden = false;
    setText(this.#text, text);
    setText(this.#countdown, "");
  }

  /** Shows that something needs a connection. */
  remind() {
    if (!this.element.hidden) setText(this.#text, "This needs a connection to the server.");
  }

  /**
   * Shows a text and the seconds until the next attempt.
   *
   * @param {string} text
   * @param {number} milliseconds until the next attempt
   */
  countDown(text, milliseconds) {
    this.show(text);
    let seconds = Math.ceil(milliseconds / 1000);
    const tick = () => setText(this.#countdown, seconds > 0 ? `Trying again in ${seconds--} s` : "");
    tick();
    this.#timer = setInterval(tick, 1000);
  }
}
