import { ConnectionClosedError, InvalidParamsError, ListWindow, NagareError, sameId } from "../../../javascript/src/index.js";
import { indexOfItem } from "../list/items.js";
import { nameItems, parametersFor } from "./action.js";
import { isMarked } from "./marks.js";

/** Milliseconds in which what was done can be undone. */
const UNDO_TIME = 5000;

/**
 * Something that is being done with items: held, so that it can be undone, or on its way to the server.
 *
 * @typedef {object} PendingAction
 * @property {import("./action.js").Action} action
 * @property {any[]} items
 * @property {Record<string, any>} params parameters that the user has filled in
 * @property {number[]} [indexes] the index of each of its items in the list, as far as it was seen there; -1 where it wasn't. Empty once it was sent
 * @property {import("./marks.js").ServerMarks | null} [marks] the server's marks, if it is done with all that is marked; `items` are then those of them that are here
 * @property {import("./marks.js").ServerMarks | null} [sentMarks] the server's marks when it was sent
 * @property {number} [scrollTop] how far the list was scrolled
 * @property {() => void} restore restores everything else
 * @property {ReturnType<typeof setTimeout>} [timer]
 * @property {import("../shell/undo.js").Offer} [offer] while it is held
 * @property {boolean} [isDue] whether the time to undo it is over
 * @property {boolean} [mayBeUnlisted] whether the list was searched, filtered or refreshed since, so its items may not be listed
 */

/**
 * What is done with the items of a list. A deed that can be undone is held for a while before the view is told, and until it is
 * settled the list is shown as it will be.
 *
 * - Only three things carry a held deed out: its time is over; the page or the view is left; something that can't be undone is done with the same item.
 * - Deeds are carried out in the order in which they were done, and undone in the reverse order.
 */
export class PendingActions {
  #screen;
  #changed;
  /** @type {Set<PendingAction>} all that aren't settled, oldest first */
  #actions = new Set();
  /** @type {PendingAction[]} those that can still be undone, oldest first */
  #undoable = [];

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen
   * @param {() => void} changed other items are shown than before
   */
  constructor(screen, changed) {
    this.#screen = screen;
    this.#changed = changed;
  }

  /** Whether something is held or on its way. */
  get isBusy() {
    return this.#actions.size > 0;
  }

  /**
   * Whether something is being done with the server's marks. They are shown as gone until that is undone, and aren't changed
   * until it was sent: what is marked meanwhile would be done as well.
   */
  get usesMarks() {
    return [...this.#actions].some(({ marks, sentMarks }) => marks && (sentMarks === undefined || sentMarks === this.#screen.view.current["marks"]));
  }

  /**
   * What is shown of a list.
   *
   * @param {import("../list/items.js").ListItems} items
   * @returns {import("../list/items.js").ListItems}
   */
  applyTo(items) {
    if (this.#actions.size === 0) return items;
    if (!(items instanceof ListWindow)) return this.#applyToItems(items);
    for (const deed of this.#actions) deed.indexes = deed.indexes?.map((place, number) => this.#indexOf(items, deed.items[number], place));
    const held = this.#applyToItems(items.held);
    const left = held.filter((item) => item !== null);
    // Where those are that remain of all nobody knows.
    if (this.removesAll) return new ListWindow(left, 0, left.length, true);
    const above = this.#removedIndexes.filter((place) => place < items.start).length;
    const below = this.#removedIndexes.filter((place) => place >= items.start + items.held.length).length;
    const gone = above + items.held.length - held.length + below;
    return new ListWindow(held, items.start - above, items.length - gone, items.exact);
  }

  /**
   * Where a row is listed that is shown at an index.
   *
   * @param {number} index
   */
  listIndex(index) {
    return this.#removedIndexes.reduce((place, leaving) => (leaving <= place ? place + 1 : place), index);
  }

  /** Whether all is on its way out but what was left unmarked. */
  get removesAll() {
    return [...this.#actions].some(({ action, marks }) => action.input === "remove" && marks?.all);
  }

  /** Where the items are listed that are shown no more, in their order. */
  get #removedIndexes() {
    const deeds = [...this.#actions].filter(({ action }) => action.input === "remove");
    return deeds.flatMap(({ indexes = [] }) => indexes.filter((place) => place >= 0)).sort((one, other) => one - other);
  }

  /** @param {readonly any[]} items */
  #applyToItems(items) {
    const deeds = [...this.#actions];
    const left = deeds.filter(({ action }) => action.input === "remove");
    const stay = items.filter((item) => !left.some((deed) => this.#concerns(deed, item)));
    const set = (/** @type {any} */ item) => Object.assign({}, item, ...deeds.filter((deed) => this.#concerns(deed, item)).map(({ action }) => action.set));
    return deeds.some(({ action }) => action.set) ? stay.map((item) => (deeds.some((deed) => this.#concerns(deed, item)) ? set(item) : item)) : stay;
  }

  /**
   * The index of an item in a list.
   *
   * @param {import("../list/items.js").ListItems} items
   * @param {any} item
   * @param {number} otherwise where it isn't among the rows that are here
   */
  #indexOf(items, item, otherwise) {
    const place = indexOfItem(items, this.#screen.idOf(item), this.#screen.info.display);
    return place < 0 ? otherwise : place;
  }

  /**
   * Whether a deed is done with an item.
   *
   * @param {PendingAction} deed
   * @param {any} item
   */
  #concerns({ items, marks }, item) {
    if (item === null) return false;
    return marks ? isMarked(marks, this.#screen.idOf(item)) : items.some((other) => sameId(this.#screen.idOf(other), this.#screen.idOf(item)));
  }

  /**
   * Whether two deeds are done with the same item.
   *
   * @param {PendingAction} one
   * @param {PendingAction} other
   */
  #overlap(one, other) {
    if (one.marks && other.marks) return true;
    return one.marks ? other.items.some((item) => this.#concerns(one, item)) : one.items.some((item) => this.#concerns(other, item));
  }

  /** @param {PendingAction} deed */
  add(deed) {
    const { items, rows } = this.#screen;
    const { undo } = deed.action;
    // An edit that is sent now mustn't be overtaken by an earlier one of the same item.
    const before = undo ? undefined : this.#undoable.filter((held) => this.#overlap(held, deed)).at(-1);
    if (before) this.#makeDue(before);
    deed.indexes = deed.items.map((item) => this.#indexOf(items, item, -1));
    deed.scrollTop = rows.scroll.top;
    this.#actions.add(deed);
    this.#changed();
    if (undo) this.#offerUndo(deed);
    else void this.#send(deed);
  }

  /** @param {PendingAction} deed */
  #offerUndo(deed) {
    this.#undoable = [...this.#undoable, deed];
    deed.timer = setTimeout(() => this.#endUndoTime(deed), UNDO_TIME);
    deed.offer = { text: `${deed.action.name}: ${this.#names(deed)}`, undo: () => this.#undo(deed) };
    this.#screen.page.undo.add(deed.offer);
  }

  /**
   * Whether an input is told just now what somebody has done.
   *
   * @param {string} input
   */
  isSending(input) {
    return [...this.#actions].some(({ action }) => action.input === input);
  }

  /**
   * The time to undo a deed is over, unless the user is just about to.
   *
   * @param {PendingAction} deed
   */
  #endUndoTime(deed) {
    if (this.#screen.page.undo.isPointedAt) deed.timer = setTimeout(() => this.#endUndoTime(deed), UNDO_TIME);
    else this.#makeDue(deed);
  }

  /**
   * Carries out held deeds, the oldest first.
   *
   * @param {PendingAction} last the last of them
   */
  #makeDue(last) {
    for (const deed of this.#undoable.slice(0, this.#undoable.indexOf(last) + 1)) deed.isDue = true;
    this.sendDue();
  }

  /** Sends what is due. A list takes edits of listed items only: what a search has taken off the list waits until it is listed again. */
  sendDue() {
    const isListed = (/** @type {any} */ item) => this.#indexOf(this.#screen.items, item, -1) >= 0;
    const canBeSent = (/** @type {PendingAction} */ { isDue, mayBeUnlisted, marks, items }) => isDue && (!mayBeUnlisted || marks || items.every(isListed));
    for (const deed of this.#undoable.filter(canBeSent)) this.#sendHeld(deed);
  }

  /** Carries out all that is held, because the page or the view is left. */
  sendAll() {
    for (const deed of this.#undoable) this.#sendHeld(deed);
  }

  /**
   * The list is about to be searched, filtered or refreshed.
   *
   * @param {boolean} isOther whether for something else, which ends the server's marks
   */
  listReloads(isOther) {
    const ended = this.#undoable.filter(({ marks }) => marks && (isOther || !marks.all));
    for (const deed of [...ended].reverse()) this.#undo(deed);
    if (ended.length > 0) this.#complain(ended, "the list was loaded anew, which ended their marks.", false);
    for (const deed of this.#undoable) Object.assign(deed, { mayBeUnlisted: true, indexes: [] });
  }

  /** The connection is gone: what is held can't be done. */
  undoAll() {
    const undone = this.#undoable;
    for (const deed of [...undone].reverse()) this.#undo(deed);
    // Another session doesn't have the marks of this one.
    const isRepeatable = this.#screen.view.isOpen || !undone.some(({ marks }) => marks);
    if (undone.length > 0) this.#complain(undone, "there is no connection to the server.", isRepeatable);
  }

  /** @param {PendingAction} deed */
  #undo(deed) {
    this.#endUndo(deed);
    const { removesAll } = this;
    this.#drop(deed);
    deed.restore();
    if (removesAll) this.#screen.rows.scrollTo(deed.scrollTop ?? 0);
  }

  /** @param {PendingAction} deed that isn't held any more */
  #endUndo(deed) {
    clearTimeout(deed.timer);
    this.#undoable = this.#undoable.filter((held) => held !== deed);
    if (deed.offer) this.#screen.page.undo.remove(deed.offer);
  }

  /** @param {PendingAction} deed */
  #sendHeld(deed) {
    this.#endUndo(deed);
    void this.#send(deed);
  }

  /** @param {PendingAction} deed */
  async #send(deed) {
    const { action, items, params } = deed;
    // What is told is taken out of the list there.
    deed.indexes = [];
    const input = this.#screen.info.inputs.get(action.input);
    if (!input) return;
    if (deed.marks) return this.#sendMarked(deed);
    const outcomes = await Promise.all(
      items.map((item) => this.#call(action.input, { ...parametersFor(action, input, item, this.#screen.info.display).params, ...params }, deed.mayBeUnlisted)),
    );
    const failed = items.filter((_, place) => outcomes[place] !== null);
    this.#drop(deed);
    if (failed.length === 0) return;
    const why = String(outcomes.find((outcome) => outcome !== null));
    this.#complain([{ ...deed, items: failed }], why);
  }

  /**
   * Has it done with all that the server has marked.
   *
   * @param {PendingAction} deed
   */
  async #sendMarked(deed) {
    const { input, set } = deed.action;
    deed.sentMarks = this.#screen.view.current["marks"];
    const called = this.#call(input, { marked: true, ...(set && { set }) });
    // What was changed stays marked there.
    if (input !== "remove") this.#screen.view.send("unmark", { all: true });
    const why = await called;
    this.#drop(deed);
    if (why !== null) this.#complain([deed], why);
  }

  /**
   * @param {PendingAction[]} deeds that failed
   * @param {string} why
   * @param {boolean} [isRepeatable] whether the same can be tried again
   */
  #complain(deeds, why, isRepeatable = true) {
    const what = deeds.map((deed) => {
      const is = (deed.marks ? deed.marks.count : deed.items.length) === 1 ? "is" : "are";
      return deed.action.input === "remove" ? `${this.#names(deed)} ${is} back` : `${deed.action.name}: ${this.#names(deed)}`;
    });
    const again = () => {
      for (const { action, items, params, marks, restore } of deeds) this.add({ action: { ...action, undo: false }, items, params, marks, restore });
    };
    this.#screen.page.showError(`${what.join(", ")}: ${why}`, "Try again", isRepeatable ? again : undefined);
  }

  /**
   * @param {string} input
   * @param {{marked?: boolean}} params
   * @param {boolean} [isAstray] whether the list may have the item without listing it
   * @returns {Promise<string | null>} what is wrong
   */
  async #call(input, params, isAstray = false) {
    const { view, page } = this.#screen;
    try {
      const outcome = await view.call(input, params);
      return outcome === "failed" ? view.current["error"]?.message ?? "It has failed." : null;
    } catch (error) {
      if (!(error instanceof NagareError)) throw error;
      const isGone = error instanceof InvalidParamsError && input === "remove" && !params.marked && !isAstray;
      // What is gone already needs no removal, and without a connection the page says so by itself.
      if (error instanceof ConnectionClosedError) page.remindOffline();
      else if (!isGone) return error.message;
      return null;
    }
  }

  /** @param {PendingAction} deed */
  #names({ items, marks }) {
    return nameItems(items, this.#screen.info.display, marks);
  }

  /**
   * Shows its items as the list has them.
   *
   * @param {PendingAction} deed
   */
  #drop(deed) {
    this.#actions.delete(deed);
    this.#changed();
  }
}
