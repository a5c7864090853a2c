import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { loadedItems } from "../list/items.js";
import { formatAmount } from "../text/format.js";
import { button, h, iconButton, setText } from "../ui/dom.js";

/** Inputs that accept all marked items of the server at once. */
const BULK_INPUTS = ["remove", "change"];

/** @typedef {import("./action.js").ServerMarks} ServerMarks */

/** The marked items, and the buttons for actions on them. The server keeps the marks if it can. */
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
  #areInUse;
  #arePinned;
  #changed;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen
   * @param {object} listener
   * @param {(action: import("./action.js").Action) => void} listener.acts
   * @param {() => boolean} listener.areUsed whether an action applies to the marks of the server as they are reported
   * @param {() => boolean} listener.arePinned whether such an action isn't sent yet
   * @param {() => void} listener.changed
   */
  constructor(screen, { acts, areUsed, arePinned, changed }) {
    this.#screen = screen;
    this.#areInUse = areUsed;
    this.#arePinned = arePinned;
    this.#changed = changed;
    const actions = screen.actions.filter((action) => action.for === "many");
    if (screen.hasInput("mark")) this.#actions.append(this.#markAllButton);
    this.#actions.append(...actions.map((action) => button("button", () => acts(action), actionLabel(action))));
    this.element.append(iconButton("close", "Unmark all", () => this.clear()), this.#text, this.#actions);
  }

  /**
   * The marks of the server, unless an action applies to them.
   *
   * @returns {ServerMarks | null}
   */
  get #serverMarks() {
    return this.#screen.hasInput("mark") && !this.#areInUse() ? this.#screen.view.current["marks"] : null;
  }

  /**
   * Whether the server marks items. Until an action on its marks is sent, items are marked here, because the action would apply to
   * them as well. What is sent after the action doesn't change what it applies to.
   */
  get #isServerMarking() {
    return this.#screen.hasInput("mark") && !this.#arePinned();
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
    this.#sendItems();
    if (this.#isServerMarking) this.#send(isMarked ? "unmark" : "mark", { id: this.#screen.idOf(item) });
    else if (!this.#items.delete(key)) this.#items.set(key, item);
    this.#draw();
  }

  /** @param {readonly any[]} items neighbors */
  add(items) {
    this.#sendItems();
    if (!this.#isServerMarking) for (const item of items) this.#items.set(this.#key(item), item);
    else if (items.length > 0) this.#send("mark", { from: this.#screen.idOf(items[0]), to: this.#screen.idOf(items.at(-1)) });
    this.#draw();
  }

  /** Marks all listed items, or those that are loaded if the server doesn't keep marks. */
  markAll() {
    this.#sendItems();
    if (this.#isServerMarking) this.#send("mark", { all: true });
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

  /** Draws the marks of the server when they have changed. */
  update() {
    const serverMarks = this.#serverMarks;
    if (serverMarks) this.#sendItems();
    if (this.#drawn !== serverMarks) this.#draw();
  }

  /** Has the server mark the items that are marked here. */
  #sendItems() {
    if (!this.#isServerMarking) return;
    for (const item of this.#items.values()) if (item !== undefined) this.#screen.view.send("mark", { id: this.#screen.idOf(item) });
    this.#items = new Map();
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
  return icon ? h("span", {}, h("span", { "aria-hidden": "true" }, `${icon} `), name) : h("span", {}, name);
}
