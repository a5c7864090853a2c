import { button, h, icon, setText } from "../ui/dom.js";

/** Tells that the server is gone, and when it is looked for again. */
export class ConnectionBanner {
  #text = h("span", {});
  /** Apart from the text, so that not every second is read out. */
  #countdown = h("span", { "aria-hidden": "true" });
  element;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {() => void} hurry */
  constructor(hurry) {
    const told = h("p", {}, this.#text, this.#countdown);
    const now = button("button", hurry, "Try now");
    this.element = h("div", { class: "banner", role: "status", hidden: true }, icon("offline"), told, now);
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

  /** Answers somebody who wants what only the server can do. */
  remind() {
    if (!this.element.hidden) setText(this.#text, "That needs the server, and there is no connection.");
  }

  /**
   * @param {string} text
   * @param {number} milliseconds until the next try
   */
  countDown(text, milliseconds) {
    this.show(text);
    let seconds = Math.ceil(milliseconds / 1000);
    const tick = () => setText(this.#countdown, seconds > 0 ? `Trying again in ${seconds--} s` : "");
    tick();
    this.#timer = setInterval(tick, 1000);
  }
}
