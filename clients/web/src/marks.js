import { ListWindow, stringify } from "../../javascript/src/index.js";
import { button, h, iconButton, setText } from "./dom.js";
import { itemsOf } from "./listed.js";
import { identity } from "./words.js";

/** Items that somebody has marked, to do the same with all of them, and what can be done. */
export class Marks {
  #text = h("span", { role: "status" });
  #actions = h("div", { class: "presses" });
  element = h("div", { class: "marks", role: "group", "aria-label": "Marked", hidden: true });
  /** @type {Map<string, any>} the items as they were seen last, by their ids */
  #items = new Map();
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
    return this.#items.size;
  }

  /** @param {any} item */
  has(item) {
    return this.#items.size > 0 && this.#items.has(keyOf(item));
  }

  /**
   * Those that are marked, as they are by now. Of a list that is here as a whole, one that isn't listed any more isn't
   * marked.
   *
   * @param {import("./listed.js").Listed} items
   */
  of(items) {
    const here = itemsOf(items).filter((item) => this.has(item));
    if (!(items instanceof ListWindow)) return here;
    for (const item of here) this.#items.set(keyOf(item), item);
    return [...this.#items.values()].filter((item) => item !== undefined);
  }

  /** @param {any} item */
  toggle(item) {
    const key = keyOf(item);
    if (!this.#items.delete(key)) this.#items.set(key, item);
    this.#tell();
  }

  /** @param {readonly any[]} items */
  add(items) {
    for (const item of items) this.#items.set(keyOf(item), item);
    this.#tell();
  }

  /** What marks them again in another session. */
  get keys() {
    return [...this.#items.keys()];
  }

  set keys(/** @type {string[]} */ keys) {
    this.#items = new Map(keys.map((key) => [key, undefined]));
    this.#tell();
  }

  clear() {
    this.#items.clear();
    this.#tell();
  }

  #tell() {
    this.element.hidden = this.#items.size === 0;
    setText(this.#text, `${this.#items.size} marked`);
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
