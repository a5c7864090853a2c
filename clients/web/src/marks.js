import { stringify } from "../../javascript/src/index.js";
import { button, h, iconButton, setText } from "./dom.js";
import { identity } from "./words.js";

/** Items that somebody has marked, to do the same with all of them, and what can be done. */
export class Marks {
  #text = h("span", { role: "status" });
  #actions = h("div", { class: "presses" });
  element = h("div", { class: "marks", role: "group", "aria-label": "Marked", hidden: true });
  /** @type {Set<string>} */
  #ids = new Set();
  #changed;

  /**
   * @param {import("./actions.js").Action[]} actions
   * @param {object} listener
   * @param {(action: import("./actions.js").Action) => void} listener.acts
   * @param {() => void} listener.changed
   */
  constructor(actions, { acts, changed }) {
    this.#changed = changed;
    this.#actions.append(...actions.map((action) => button("button", () => acts(action), label(action))));
    this.element.append(iconButton("close", "Unmark all", () => this.clear()), this.#text, this.#actions);
  }

  get size() {
    return this.#ids.size;
  }

  /** @param {any} item */
  has(item) {
    return this.#ids.size > 0 && this.#ids.has(keyOf(item));
  }

  /**
   * Those that are marked, as they are by now; one that isn't listed any more isn't marked.
   *
   * @param {readonly any[]} items
   */
  of(items) {
    return items.filter((item) => this.has(item));
  }

  /** @param {any} item */
  toggle(item) {
    const key = keyOf(item);
    if (!this.#ids.delete(key)) this.#ids.add(key);
    this.#tell();
  }

  /** @param {readonly any[]} items */
  add(items) {
    for (const item of items) this.#ids.add(keyOf(item));
    this.#tell();
  }

  /** What marks them again in another session. */
  get keys() {
    return [...this.#ids];
  }

  set keys(/** @type {string[]} */ keys) {
    this.#ids = new Set(keys);
    this.#tell();
  }

  clear() {
    this.#ids.clear();
    this.#tell();
  }

  #tell() {
    this.element.hidden = this.#ids.size === 0;
    setText(this.#text, `${this.#ids.size} marked`);
    this.#changed();
  }
}

/** @param {import("./actions.js").Action} action */
export function label({ icon, name }) {
  return icon ? h("span", {}, h("span", { "aria-hidden": "true" }, `${icon} `), name) : h("span", {}, name);
}

/** @param {any} item */
function keyOf(item) {
  return stringify(identity(item));
}
