import { ConnectionClosedError, InvalidParamsError, ListWindow, NagareError, NoSuchViewError, sameId } from "../../../javascript/src/index.js";
import { indexOfItem } from "../list/items.js";
import { nameItems, parametersFor } from "./action.js";
import { isMarked } from "./marks.js";

/** How long an action can be undone, in milliseconds. */
const UNDO_TIME = 5000;

/**
 * An action on items that can be undone or is being sent.
 *
 * @typedef {object} PendingAction
 * @property {import("./action.js").Action} action
 * @property {any[]} items
 * @property {Record<string, any>} params that the user has filled in
 * @property {number[]} [indexes] of the items in the list; -1 for an item that isn't held. Empty once the action was sent
 * @property {import("./action.js").ServerMarks | null} [marks] the marks of the server, if the action applies to all marked items. `items` are those that are loaded
 * @property {import("./action.js").ServerMarks | null} [sentMarks] the marks of the server when the action was sent
 * @property {number} [scrollTop] the scroll position before the action
 * @property {() => void} restore restores everything else
 * @property {ReturnType<typeof setTimeout>} [timer]
 * @property {import("../shell/undo.js").Offer} [offer] while the action can be undone
 * @property {boolean} [isDue] whether the time to undo it is over
 * @property {boolean} [mayBeUnlisted] whether the list was searched, filtered or refreshed since, so that the items may not be listed
 */

/**
 * The pending actions on a list's items. An action that can be undone is sent after a while. Until the server has answered, the list
 * is shown as it will be.
 *
 * - An action that can be undone is sent only for three reasons: its time is over; the page or view is left; another action on the same item can't be undone.
 * - Actions are sent in the order in which they were made, and undone in the reverse order.
 */
export class PendingActions {
  #screen;
  #changed;
  /** @type {Set<PendingAction>} all, oldest first */
  #actions = new Set();
  /** @type {PendingAction[]} those that can still be undone, oldest first */
  #undoable = [];

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen
   * @param {() => void} changed the list must be drawn again
   */
  constructor(screen, changed) {
    this.#screen = screen;
    this.#changed = changed;
  }

  /** Whether actions are pending. */
  get isBusy() {
    return this.#actions.size > 0;
  }

  /** Whether an action applies to the marks of the server as they are reported. They are hidden meanwhile. */
  get usesMarks() {
    return [...this.#actions].some(({ marks, sentMarks }) => marks && (sentMarks === undefined || sentMarks === this.#screen.view.current["marks"]));
  }

  /** Whether the marks of the server mustn't change, because an action isn't sent yet that would apply to new ones as well. */
  get pinsMarks() {
    return [...this.#actions].some(({ marks, sentMarks }) => marks && sentMarks === undefined);
  }

  /**
   * Returns the items as they will be after the pending actions.
   *
   * @param {import("../list/items.js").ListItems} items
   * @returns {import("../list/items.js").ListItems}
   */
  applyTo(items) {
    if (this.#actions.size === 0) return items;
    if (!(items instanceof ListWindow)) return this.#applyToItems(items);
    for (const entry of this.#actions) entry.indexes = entry.indexes?.map((place, number) => this.#indexOf(items, entry.items[number], place));
    const held = this.#applyToItems(items.held);
    const left = held.filter((item) => item !== null);
    // The indexes of the remaining items aren't known.
    if (this.removesAll) return new ListWindow(left, 0, left.length, true);
    const above = this.#removedIndexes.filter((place) => place < items.start).length;
    const below = this.#removedIndexes.filter((place) => place >= items.start + items.held.length).length;
    const gone = above + items.held.length - held.length + below;
    return new ListWindow(held, items.start - above, items.length - gone, items.exact);
  }

  /**
   * Returns the index in the list of a shown row.
   *
   * @param {number} index
   */
  listIndex(index) {
    return this.#removedIndexes.reduce((place, leaving) => (leaving <= place ? place + 1 : place), index);
  }

  /** Whether a pending action removes all items except the unmarked ones. */
  get removesAll() {
    return [...this.#actions].some(({ action, marks }) => action.input === "remove" && marks?.all);
  }

  /** The indexes of the removed items, in order. */
  get #removedIndexes() {
    const entries = [...this.#actions].filter(({ action }) => action.input === "remove");
    return entries.flatMap(({ indexes = [] }) => indexes.filter((place) => place >= 0)).sort((one, other) => one - other);
  }

  /** @param {readonly any[]} items */
  #applyToItems(items) {
    const entries = [...this.#actions];
    const left = entries.filter(({ action }) => action.input === "remove");
    const stay = items.filter((item) => !left.some((entry) => this.#concerns(entry, item)));
    const set = (/** @type {any} */ item) => Object.assign({}, item, ...entries.filter((entry) => this.#concerns(entry, item)).map(({ action }) => action.set));
    return entries.some(({ action }) => action.set) ? stay.map((item) => (entries.some((entry) => this.#concerns(entry, item)) ? set(item) : item)) : stay;
  }

  /**
   * Returns the index of an item.
   *
   * @param {import("../list/items.js").ListItems} items
   * @param {any} item
   * @param {number} otherwise if it isn't held
   */
  #indexOf(items, item, otherwise) {
    const place = indexOfItem(items, this.#screen.idOf(item), this.#screen.info.display);
    return place < 0 ? otherwise : place;
  }

  /**
   * Whether an action applies to an item.
   *
   * @param {PendingAction} entry
   * @param {any} item
   */
  #concerns({ items, marks }, item) {
    if (item === null) return false;
    return marks ? isMarked(marks, this.#screen.idOf(item)) : items.some((other) => sameId(this.#screen.idOf(other), this.#screen.idOf(item)));
  }

  /**
   * Whether two actions apply to the same item.
   *
   * @param {PendingAction} one
   * @param {PendingAction} other
   */
  #overlap(one, other) {
    if (one.marks && other.marks) return true;
    return one.marks ? other.items.some((item) => this.#concerns(one, item)) : one.items.some((item) => this.#concerns(other, item));
  }

  /** @param {PendingAction} entry */
  add(entry) {
    const { items, rows } = this.#screen;
    const { undo } = entry.action;
    // An action that is sent now mustn't overtake earlier ones on the same item.
    const before = undo ? undefined : this.#undoable.filter((held) => this.#overlap(held, entry)).at(-1);
    if (before) this.#makeDue(before);
    entry.indexes = entry.items.map((item) => this.#indexOf(items, item, -1));
    entry.scrollTop = rows.scroll.top;
    this.#actions.add(entry);
    this.#changed();
    if (undo) this.#offerUndo(entry);
    else void this.#send(entry);
  }

  /** @param {PendingAction} entry */
  #offerUndo(entry) {
    this.#undoable = [...this.#undoable, entry];
    entry.timer = setTimeout(() => this.#endUndoTime(entry), UNDO_TIME);
    entry.offer = { text: `${entry.action.name}: ${this.#names(entry)}`, undo: () => this.#undo(entry) };
    this.#screen.page.undo.add(entry.offer);
  }

  /**
   * Whether a pending action uses an input.
   *
   * @param {string} input
   */
  isSending(input) {
    return [...this.#actions].some(({ action }) => action.input === input);
  }

  /**
   * Ends the time to undo an action, unless the user is about to undo it.
   *
   * @param {PendingAction} entry
   */
  #endUndoTime(entry) {
    if (this.#screen.page.undo.isPointedAt) entry.timer = setTimeout(() => this.#endUndoTime(entry), UNDO_TIME);
    else this.#makeDue(entry);
  }

  /**
   * Makes actions due, the oldest first.
   *
   * @param {PendingAction} last the last one
   */
  #makeDue(last) {
    for (const entry of this.#undoable.slice(0, this.#undoable.indexOf(last) + 1)) entry.isDue = true;
    this.sendDue();
  }

  /** Sends the actions that are due. A list accepts edits of listed items only, so actions on others wait until these are listed again. */
  sendDue() {
    const isListed = (/** @type {any} */ item) => this.#indexOf(this.#screen.items, item, -1) >= 0;
    const canBeSent = (/** @type {PendingAction} */ { isDue, mayBeUnlisted, marks, items }) => isDue && (!mayBeUnlisted || marks || items.every(isListed));
    for (const entry of this.#undoable.filter(canBeSent)) this.#sendHeld(entry);
  }

  /** Sends all actions, because the page or view is left. */
  sendAll() {
    for (const entry of this.#undoable) this.#sendHeld(entry);
  }

  /**
   * Prepares for a search, filter or refresh.
   *
   * @param {boolean} isOther whether other items are listed, which ends the marks of the server
   */
  listReloads(isOther) {
    const ended = this.#undoable.filter(({ marks }) => marks && (isOther || !marks.all));
    for (const entry of [...ended].reverse()) this.#undo(entry);
    if (ended.length > 0) this.#complain(ended, "the list was loaded anew, which ended their marks.", false);
    for (const entry of this.#undoable) Object.assign(entry, { mayBeUnlisted: true, indexes: [] });
  }

  /**
   * Undoes all actions, because the connection is lost or the view is closed.
   *
   * @param {boolean} [complains] whether the user is told
   */
  undoAll(complains = true) {
    const undone = this.#undoable;
    for (const entry of [...undone].reverse()) this.#undo(entry);
    // Another session doesn't have the marks of this one.
    const isRepeatable = this.#screen.view.isOpen || !undone.some(({ marks }) => marks);
    if (complains && undone.length > 0) this.#complain(undone, "there is no connection to the server.", isRepeatable);
  }

  /** @param {PendingAction} entry */
  #undo(entry) {
    this.#endUndo(entry);
    const { removesAll } = this;
    this.#drop(entry);
    entry.restore();
    if (removesAll) this.#screen.rows.scrollTo(entry.scrollTop ?? 0);
  }

  /** @param {PendingAction} entry that can't be undone any more */
  #endUndo(entry) {
    clearTimeout(entry.timer);
    this.#undoable = this.#undoable.filter((held) => held !== entry);
    if (entry.offer) this.#screen.page.undo.remove(entry.offer);
  }

  /** @param {PendingAction} entry */
  #sendHeld(entry) {
    this.#endUndo(entry);
    void this.#send(entry);
  }

  /** @param {PendingAction} entry */
  async #send(entry) {
    const { action, items, params } = entry;
    // The view removes the items from the list.
    entry.indexes = [];
    const input = this.#screen.info.inputs.get(action.input);
    if (!input) return;
    if (entry.marks) return this.#sendMarked(entry);
    const outcomes = await Promise.all(
      items.map((item) => this.#call(action.input, { ...parametersFor(action, input, item, this.#screen.info.display).params, ...params }, entry.mayBeUnlisted)),
    );
    const failed = items.filter((_, place) => outcomes[place] !== null);
    this.#drop(entry);
    if (failed.length === 0) return;
    const why = String(outcomes.find((outcome) => outcome !== null));
    this.#complain([{ ...entry, items: failed }], why);
  }

  /**
   * Sends an action on all marked items of the server.
   *
   * @param {PendingAction} entry
   */
  async #sendMarked(entry) {
    const { input, set } = entry.action;
    entry.sentMarks = this.#screen.view.current["marks"];
    const called = this.#call(input, { marked: true, ...(set && { set }) });
    // The server keeps the marks of items that were changed.
    if (input !== "remove") this.#screen.view.send("unmark", { all: true });
    const why = await called;
    this.#drop(entry);
    if (why !== null) this.#complain([entry], why);
  }

  /**
   * @param {PendingAction[]} entries that failed
   * @param {string} why
   * @param {boolean} [isRepeatable] whether the user can try again
   */
  #complain(entries, why, isRepeatable = true) {
    const what = entries.map((entry) => {
      const is = (entry.marks ? entry.marks.count : entry.items.length) === 1 ? "is" : "are";
      return entry.action.input === "remove" ? `${this.#names(entry)} ${is} back` : `${entry.action.name}: ${this.#names(entry)}`;
    });
    const again = () => {
      for (const { action, items, params, marks, restore } of entries) this.add({ action: { ...action, undo: false }, items, params, marks, restore });
    };
    this.#screen.page.showError(`${what.join(", ")}: ${why}`, "Try again", isRepeatable ? again : undefined);
  }

  /**
   * @param {string} input
   * @param {{marked?: boolean}} params
   * @param {boolean} [mayBeUnlisted] whether the list may contain the item without listing it
   * @returns {Promise<string | null>} the error message
   */
  async #call(input, params, mayBeUnlisted = false) {
    const { view, page } = this.#screen;
    try {
      const outcome = await view.call(input, params);
      return outcome === "failed" ? view.current["error"]?.message ?? "It has failed." : null;
    } catch (error) {
      if (!(error instanceof NagareError)) throw error;
      const isGone = error instanceof InvalidParamsError && input === "remove" && !params.marked && !mayBeUnlisted;
      // An item that is gone needs no removal, the banner reports a lost connection already, and a closed view is no error.
      if (error instanceof ConnectionClosedError) page.remindOffline();
      else if (!isGone && !(error instanceof NoSuchViewError)) return error.message;
      return null;
    }
  }

  /** @param {PendingAction} entry */
  #names({ items, marks }) {
    return nameItems(items, this.#screen.info.display, marks);
  }

  /**
   * Removes an action, so that its items are shown as the list has them.
   *
   * @param {PendingAction} entry
   */
  #drop(entry) {
    this.#actions.delete(entry);
    this.#changed();
  }
}
