import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { loadedItems } from "../list/items.js";
import { formatAmount } from "../text/format.js";
import { button, h, iconButton, setText } from "../ui/dom.js";

/** Inputs that accept all marked items of the server at once. */
const BULK_INPUTS = ["remove", "change"];

/** @typedef {import("./action.js").ServerMarks} ServerMarks */

/** The marked items, and the buttons for actions on them. The server keeps the marks if the view has the input `mark`. */
export class Marks {
  #text = h("span", { role: "status" });
  #actions = h("div", { class: "presses" });
  element = h("div", { class: "marks", role: "group", "aria-label": "Marked", hidden: true });
  /** @type {Map<string, any>} the items that are marked here, as they were last seen, by id */
  #items = new Map();
  /** @type {ServerMarks | null} */
  #drawn = null;
  #markAllButton = button("button", () => this.markAll(), "Mark all");
  #screen;
  #changed;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen
   * @param {object} listener
   * @param {(action: import("./action.js").Action) => void} listener.acts
   * @param {() => void} listener.changed
   */
  constructor(screen, { acts, changed }) {
    this.#screen = screen;
    this.#changed = changed;
    const actions = screen.actions.filter((action) => action.for === "many");
    if (screen.hasInput("mark")) this.#actions.append(this.#markAllButton);
    this.#actions.append(...actions.map((action) => button("button", () => acts(action), actionLabel(action))));
    this.element.append(iconButton("close", "Unmark all", () => this.clear()), this.#text, this.#actions);
  }

  /** @returns {ServerMarks | null} */
  get #serverMarks() {
    const { marks } = this.#screen.view.current;
    return this.#screen.hasInput("mark") && Array.isArray(marks?.ids) ? marks : null;
  }

  /** The number of marked items; Infinity if it isn't known. */
  get size() {
    const serverMarks = this.#serverMarks;
    return serverMarks ? serverMarks.count ?? Infinity : this.#items.size;
  }

  /** @param {any} item */
  has(item) {
    if (this.size === 0) return false;
    return this.#serverMarks ? isMarked(this.#serverMarks, this.#screen.idOf(item)) : this.#items.has(this.#key(item));
  }

  /**
   * Returns the marked items that are loaded, in their current state. In a list without a window, items that aren't listed any more
   * aren't marked.
   *
   * @param {import("../list/items.js").ListItems} items
   */
  markedItems(items) {
    const here = loadedItems(items).filter((item) => this.has(item));
    if (this.#serverMarks || !(items instanceof ListWindow)) return here;
    for (const item of here) this.#items.set(this.#key(item), item);
    return [...this.#items.values()].filter((item) => item !== undefined);
  }

  /**
   * Returns the marks of the server if an input accepts them.
   *
   * @param {string} input
   */
  serverMarksFor(input) {
    return BULK_INPUTS.includes(input) ? this.#serverMarks : null;
  }

  /** @param {any} item */
  toggle(item) {
    const key = this.#key(item);
    const isMarked = this.has(item);
    if (this.#screen.hasInput("mark")) this.#send(isMarked ? "unmark" : "mark", { id: this.#screen.idOf(item) });
    else if (!this.#items.delete(key)) this.#items.set(key, item);
    this.#draw();
  }

  /** @param {readonly any[]} items neighbors */
  add(items) {
    if (!this.#screen.hasInput("mark")) for (const item of items) this.#items.set(this.#key(item), item);
    else if (items.length > 0) this.#send("mark", { from: this.#screen.idOf(items[0]), to: this.#screen.idOf(items.at(-1)) });
    this.#draw();
  }

  /** Marks all listed items, or those that are loaded if the server doesn't keep marks. */
  markAll() {
    if (this.#screen.hasInput("mark")) this.#send("mark", { all: true });
    else this.add(loadedItems(this.#screen.rows.items));
  }

  /** The keys by which another session marks the same items. The marks of the server end with its session. */
  get keys() {
    return [...this.#items.keys()];
  }

  set keys(/** @type {string[]} */ keys) {
    this.#items = new Map(keys.map((key) => [key, undefined]));
    this.#draw();
  }

  /** @returns {() => void} marks the same items again, except those that the server marked */
  clear() {
    const before = this.#items;
    if (this.#serverMarks && this.size > 0) this.#send("unmark", { all: true });
    this.#items = new Map();
    this.#draw();
    return () => {
      this.#items = new Map([...before, ...this.#items]);
      this.#draw();
    };
  }

  /**
   * Makes the server mark the same items again.
   *
   * @param {ServerMarks} serverMarks
   */
  restore({ all, ids }) {
    const { view } = this.#screen;
    view.send(all ? "mark" : "unmark", { all: true });
    for (const id of ids) view.send(all ? "unmark" : "mark", { id });
  }

  /** Draws the marks of the server when they have changed. */
  update() {
    if (this.#drawn !== this.#serverMarks) this.#draw();
  }

  #draw() {
    const { size } = this;
    this.#drawn = this.#serverMarks;
    this.element.hidden = size === 0;
    this.#markAllButton.hidden = size === 0 || this.#serverMarks?.all === true;
    setText(this.#text, size === Infinity ? "All marked" : `${this.#serverMarks ? formatAmount(size) : size} marked`);
    this.#changed();
  }

  /** @param {any} item */
  #key(item) {
    return stringify(this.#screen.idOf(item));
  }

  /**
   * @param {string} input
   * @param {object} params
   */
  #send(input, params) {
    void this.#screen.send(input, params);
  }
}

/** @type {WeakMap<object, Set<string>>} */
const ids = new WeakMap();

/**
 * @param {ServerMarks} serverMarks
 * @param {any} id
 */
export function isMarked(serverMarks, id) {
  const named = ids.get(serverMarks) ?? new Set(serverMarks.ids.map((id) => stringify(id)));
  ids.set(serverMarks, named);
  return named.has(stringify(id)) !== serverMarks.all;
}

/** @param {import("./action.js").Action} action */
function actionLabel({ icon, name }) {
  return h("span", {}, icon ? h("span", { "aria-hidden": "true" }, `${icon} `) : null, name);
}
