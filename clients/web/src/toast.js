import { button, h } from "./dom.js";

/** What was just done, and can be undone, at the bottom of the screens. */
export class Toast {
  #text = h("p", {});
  #act = h("span", {});
  // On the page before it says something: else it wouldn't be read out.
  element = h("div", { class: "toast", role: "status" });

  /**
   * @param {string | null} text null for nothing
   * @param {string} [label]
   * @param {() => void} [act]
   */
  offer(text, label, act) {
    if (text === null || !act) return this.element.replaceChildren();
    this.#text.textContent = text;
    this.#act.replaceChildren(button("button", act, label ?? ""));
    this.element.replaceChildren(this.#text, this.#act);
  }
}
