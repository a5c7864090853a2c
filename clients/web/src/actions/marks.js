import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { loadedItems } from "../list/items.js";
import { formatAmount } from "../text/format.js";
import { button, h, iconButton, setText } from "../ui/dom.js";

/** Inputs that take all at once that the server has marked. */
const BULK_INPUTS = ["remove", "change"];

/**
 * What the server says of its marks.
 *
 * @typedef {{count: number | null, all: boolean, ids: any[]}} ServerMarks
 */

/** Items that somebody has marked, to do the same with all of them, and what can be done. The server keeps them, if it can. */
export class Marks {
  #text = h("span", { role: "status" });
  #actions = h("div", { class: "presses" });
  element = h("div", { class: "marks", role: "group", "aria-label": "Marked", hidden: true });
  /** @type {Map<string, any>} the items as they were seen last, by their ids */
  #items = new Map();
  /** @type {ServerMarks | null} */
  #drawn = null;
  #markAllButton = button("button", () => this.markAll(), "Mark all");
  #screen;
  #areInUse;
  #changed;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen
   * @param {object} listener
   * @param {(action: import("./action.js").Action) => void} listener.acts
   * @param {() => boolean} listener.areUsed whether something is being done with those that the server keeps
   * @param {() => void} listener.changed
   */
  constructor(screen, { acts, areUsed, changed }) {
    this.#screen = screen;
    this.#areInUse = areUsed;
    this.#changed = changed;
    const actions = screen.actions.filter((action) => action.for === "many");
    if (screen.hasInput("mark")) this.#actions.append(this.#markAllButton);
    this.#actions.append(...actions.map((action) => button("button", () => acts(action), actionLabel(action))));
    this.element.append(iconButton("close", "Unmark all", () => this.clear()), this.#text, this.#actions);
  }

  /**
   * The server's marks, where it keeps them. While something is being done with these, items are marked here, and the server is told
   * once that is settled: it would do the same with them.
   *
   * @returns {ServerMarks | null}
   */
  get #serverMarks() {
    return this.#screen.hasInput("mark") && !this.#areInUse() ? this.#screen.view.current["marks"] : null;
  }

  /** How many there are, as far as is known. */
  get size() {
    const kept = this.#serverMarks;
    return kept ? kept.count ?? Infinity : this.#items.size;
  }

  /** @param {any} item */
  has(item) {
    if (this.size === 0) return false;
    return this.#serverMarks ? isMarked(this.#serverMarks, this.#screen.idOf(item)) : this.#items.has(this.#key(item));
  }

  /**
   * Those that are marked, as they are by now, as far as they are here. Of a list that is here as a whole, one that isn't listed any more
   * isn't marked.
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
   * What the server has marked, where an input takes all of it at once.
   *
   * @param {string} input
   */
  serverMarksFor(input) {
    return BULK_INPUTS.includes(input) ? this.#serverMarks : null;
  }

  /** @param {any} item */
  toggle(item) {
    const key = this.#key(item);
    if (this.#serverMarks) this.#send(this.has(item) ? "unmark" : "mark", { id: this.#screen.idOf(item) });
    else if (!this.#items.delete(key)) this.#items.set(key, item);
    this.#draw();
  }

  /** @param {readonly any[]} items neighbours */
  add(items) {
    if (!this.#serverMarks) for (const item of items) this.#items.set(this.#key(item), item);
    else if (items.length > 0) this.#send("mark", { from: this.#screen.idOf(items[0]), to: this.#screen.idOf(items.at(-1)) });
    this.#draw();
  }

  /** Marks all that is listed, as far as it is here, or all that there is, if the server keeps the marks. */
  markAll() {
    if (this.#serverMarks) this.#send("mark", { all: true });
    else this.add(loadedItems(this.#screen.rows.items));
  }

  /** What marks them again in another session. The server's own end with its session. */
  get keys() {
    return [...this.#items.keys()];
  }

  set keys(/** @type {string[]} */ keys) {
    this.#items = new Map(keys.map((key) => [key, undefined]));
    this.#draw();
  }

  /** @returns {() => void} marks them again, except those that the server keeps */
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

  /** Shows what the server has marked by now, and tells it of what was marked here meanwhile. */
  update() {
    const kept = this.#serverMarks;
    if (kept) {
      for (const item of this.#items.values()) if (item !== undefined) this.#screen.view.send("mark", { id: this.#screen.idOf(item) });
      this.#items = new Map();
    }
    if (this.#drawn !== kept) this.#draw();
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
 * @param {ServerMarks} kept
 * @param {any} id
 */
export function isMarked(kept, id) {
  const named = ids.get(kept) ?? new Set(kept.ids.map((id) => stringify(id)));
  ids.set(kept, named);
  return named.has(stringify(id)) !== kept.all;
}

/** @param {import("./action.js").Action} action */
function actionLabel({ icon, name }) {
  return icon ? h("span", {}, h("span", { "aria-hidden": "true" }, `${icon} `), name) : h("span", {}, name);
}
