import { button, h, icon } from "./dom.js";

/** Inputs whose failures are reported once, as a message. They leave no missing rows that could be loaded again. */
export const TRANSIENT_TRIGGERS = ["insert", "change", "remove", "changed"];

/**
 * Creates a notice of an error, with a button for the remedy if there is one.
 *
 * @param {string} message
 * @param {string} remedy
 * @param {(() => void) | undefined} mend
 */
export function errorNotice(message, remedy, mend) {
  const again = mend ? button("button", mend, remedy) : null;
  return h("div", { class: "notice", role: "alert" }, icon("warning"), h("p", {}, message), again);
}

/** The notice below a list. It is replaced only when it changes, because screen readers would announce an alert again. */
export class Footer {
  element = h("div", { class: "foot" });
  /** @type {unknown} */
  #shown = null;

  /**
   * @param {unknown} what identifies the notice, which is replaced only if this value differs; null removes it
   * @param {() => HTMLElement} [make]
   */
  show(what, make) {
    if (what === this.#shown) return;
    this.#shown = what;
    this.element.replaceChildren(...(what === null || !make ? [] : [make()]));
  }
}

/**
 * Creates the text that is shown where a list is empty.
 *
 * @param {keyof typeof import("./icons.js").ICONS} name
 * @param {string} message
 * @param {string} [hint]
 */
export function emptyNotice(name, message, hint) {
  return h("div", { class: "emptiness" }, icon(name), h("p", {}, message), hint ? h("p", { class: "hint" }, hint) : null);
}
