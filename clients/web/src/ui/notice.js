import { button, h, icon } from "./dom.js";

/** What has failed by these is told once: nothing is missing because of it that could be loaded again. */
export const TRANSIENT_TRIGGERS = ["insert", "change", "remove", "changed"];

/**
 * What went wrong, and what can be done about it, if anything can.
 *
 * @param {string} message
 * @param {string} remedy
 * @param {(() => void) | undefined} mend
 */
export function errorNotice(message, remedy, mend) {
  const again = mend ? button("button", mend, remedy) : null;
  return h("div", { class: "notice", role: "alert" }, icon("warning"), h("p", {}, message), again);
}

/** What is said at the end of a list. It is made anew only when it has changed: an alert would be read out again. */
export class Footer {
  element = h("div", { class: "foot" });
  /** @type {unknown} */
  #shown = null;

  /**
   * @param {unknown} what something that changes with it; null for nothing
   * @param {() => HTMLElement} [make]
   */
  show(what, make) {
    if (what === this.#shown) return;
    this.#shown = what;
    this.element.replaceChildren(...(what === null || !make ? [] : [make()]));
  }
}

/**
 * What is said where nothing else is.
 *
 * @param {keyof typeof import("./icons.js").ICONS} name
 * @param {string} message
 * @param {string} [hint]
 */
export function emptyNotice(name, message, hint) {
  return h("div", { class: "emptiness" }, icon(name), h("p", {}, message), hint ? h("p", { class: "hint" }, hint) : null);
}
