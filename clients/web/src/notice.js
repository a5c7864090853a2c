import { h, icon } from "./dom.js";

/**
 * What went wrong, and what can be done about it.
 *
 * @param {string} message
 * @param {string} remedy
 * @param {() => void} mend
 */
export function notice(message, remedy, mend) {
  const button = h("button", { type: "button", class: "button", onclick: mend }, remedy);
  return h("div", { class: "notice", role: "alert" }, icon("warning"), h("p", {}, message), button);
}

/**
 * What is said where nothing else is.
 *
 * @param {keyof typeof import("./icons.js").ICONS} name
 * @param {string} message
 * @param {string} [hint]
 */
export function emptiness(name, message, hint) {
  return h("div", { class: "emptiness" }, icon(name), h("p", {}, message), hint ? h("p", { class: "hint" }, hint) : null);
}
