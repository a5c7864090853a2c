import { button, h } from "./dom.js";

/** Milliseconds that something is told. */
const PASSING = 5000;

/** What was just done and can be undone, or has happened, at the bottom of the screens. */
export class Toast {
  #text = h("p", {});
  #act = h("span", {});
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #leaving;
  // On the page before it says something: else it wouldn't be read out.
  element = h("div", { class: "toast", role: "status" });

  /**
   * @param {string | null} text null for nothing
   * @param {string} [label]
   * @param {() => void} [act]
   */
  offer(text, label, act) {
    clearTimeout(this.#leaving);
    if (text === null) return this.element.replaceChildren();
    this.#text.textContent = text;
    this.#act.replaceChildren(...(act ? [button("button", act, label ?? "")] : []));
    this.element.replaceChildren(this.#text, this.#act);
    // What can be undone is taken away by whoever undoes it.
    if (!act) this.#leaving = setTimeout(() => this.element.replaceChildren(), PASSING);
  }
}
