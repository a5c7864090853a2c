import { ConnectionClosedError, InvalidParamsError, NoSuchViewError, stringify } from "../../../javascript/src/index.js";
import { indexOfItem, itemAt } from "../list/items.js";
import { canUndo } from "../net/discovery.js";
import { nameItems, parametersFor } from "./action.js";

/** The time in which a change that was sent at once can be undone, in milliseconds. */
const UNDO_TIME = 5000;
/** The most actions that are remembered. They give offers to undo, and later refusals by the source, their texts. */
const MAX_REMEMBERED = 50;

/**
 * An action that was sent.
 *
 * @typedef {object} SentAction
 * @property {import("./action.js").Action} action
 * @property {any[]} items as they were before
 * @property {Record<string, any>} params that the user has filled in
 * @property {import("./action.js").ServerMarks | null} marks the marks of the server, if the action applies to all marked items. `items` are those that are loaded
 * @property {() => void} restore restores the marks
 * @property {Set<string>} [ids] of the items, or those in `marks`
 * @property {number} [scrollTop] the scroll position before the action
 * @property {import("../shell/undo.js").Offer} [offer] to undo it
 * @property {ReturnType<typeof setTimeout>} [timer] ends the offer, if the page undoes the action by another change
 * @property {Promise<unknown>} [reported] if the input `undo` may undo the action: resolves when the state `undoable` describes it, or the server has answered
 * @property {(value?: unknown) => void} [report] resolves `reported`
 *
 * An edit that the server can undo. Ids and a count of another type are ignored.
 *
 * @typedef {{count: number | null, input: string, ids?: any[], all?: boolean, except?: any[]}} UndoableEdit
 *
 * The action that made an edit, or only an offer if another frontend made it.
 *
 * @typedef {SentAction | {offer: import("../shell/undo.js").Offer}} UndoableAction
 */

/**
 * Sends actions on a list's items, and offers to undo them. There are two ways to undo:
 *
 * - The input `undo` undoes the edit in the state `undoable`, which the server delays for a while.
 * - A change of single items is sent to the source at once. It is undone by another change, to the items as they were before.
 */
export class SentActions {
  #screen;
  /** @type {SentAction[]} newest first */
  #sent = [];
  /** @type {Set<SentAction>} those that the server hasn't answered */
  #sending = new Set();
  /** @type {UndoableEdit | null} the state `undoable` as it was last drawn */
  #edit = null;
  /** @type {UndoableAction | null} the action that made `#edit` */
  #undoable = null;

  /** @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows}} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** Whether the server hasn't answered an action, or still holds one back. */
  get isBusy() {
    return this.#sending.size > 0 || this.#edit !== null;
  }

  /**
   * Whether an action that isn't answered uses an input.
   *
   * @param {string} input
   */
  isSending(input) {
    return [...this.#sending].some(({ action }) => action.input === input);
  }

  /**
   * Sends an action.
   *
   * @param {SentAction} entry
   * @returns {Promise<boolean>} whether its items have left the list
   */
  async send(entry) {
    const { action, items, params, marks } = entry;
    const { info, page, rows, view } = this.#screen;
    const { input: name, set, undo } = action;
    const input = /** @type {import("../net/discovery.js").Input} */ (info.inputs.get(name));
    entry.ids = new Set((marks ? marks.ids : items.map((item) => this.#screen.idOf(item))).map((id) => stringify(id)));
    entry.scrollTop = rows.scroll.top;
    this.#sent = [entry, ...this.#sent].slice(0, MAX_REMEMBERED);
    this.#sending.add(entry);
    const given = marks ? [{ marked: true, ...(set && { set }) }] : items.map((item) => ({ ...parametersFor(action, input, item, info.display).params, ...params }));
    const calls = given.map((params) => this.#call(name, params));
    const isMarkedChange = name === "change" && marks;
    // The server keeps the marks of items that were changed.
    if (isMarkedChange) view.send("unmark", { all: true });
    if (canUndo(info) && (isMarkedChange || name === "remove")) {
      entry.reported = new Promise((resolve) => (entry.report = resolve));
      // The offer comes before those of later actions. Its text follows when the server has reported the edit.
      page.undo.add((entry.offer = { text: "", undo: () => this.#undo(entry) }));
    } else if (name === "change" && undo && !marks) this.#offerChangeBack(entry);
    const outcomes = await Promise.all(calls);
    this.#sending.delete(entry);
    entry.report?.();
    const why = outcomes.find((outcome) => outcome !== null);
    this.update();
    if (this.#undoable !== entry && (why || entry.reported)) this.#withdraw(entry);
    if (why) this.#complain(entry, marks ? items : items.filter((_, place) => outcomes[place]), why);
    return name === "remove" && this.#listed(items).length === 0;
  }

  /** Shows what the server can undo now. */
  update() {
    const { info, view, page } = this.#screen;
    const { undoable } = view.current;
    const edit = view.isOpen && canUndo(info) && undoable?.input ? undoable : null;
    if (edit === this.#edit) return;
    this.#edit = edit;
    const before = this.#undoable;
    const sent = edit && this.#actionOf(edit);
    const text = edit && (sent ? this.#textOf(sent) : `${edit.input === "remove" ? "Removed" : "Changed"} ${nameItems([], {}, edit)}`);
    const entry = edit && (sent ?? { offer: { text, undo: () => this.#undo(entry) } });
    if (before === entry) return;
    this.#undoable = entry;
    // Added before the other is removed, so that the button keeps the focus.
    if (entry) page.undo.add(Object.assign(entry.offer, { text }));
    if (before) this.#withdraw(before);
    sent?.report?.();
  }

  /** Ends the offers to undo, because the view is closed or the connection is lost. */
  end() {
    for (const entry of [...this.#sent, this.#undoable]) if (entry) this.#withdraw(entry);
    [this.#sent, this.#edit, this.#undoable] = [[], null, null];
  }

  /**
   * Reports that the source has refused an edit when it couldn't be undone any more.
   *
   * @param {{trigger: string, message: string}} error
   * @returns {SentAction | undefined} the action that made the edit, if it is known
   */
  reportRefusal({ trigger, message }) {
    const entry = this.#sent.find(({ action, marks, items }) => {
      if (action.input !== trigger) return false;
      if (trigger === "change") return marks && items.some((item) => this.#lacksChange(item, action));
      return marks?.all ? this.#screen.items.length > marks.ids.length : this.#listed(items).length > 0;
    });
    if (entry) this.#complain(entry, entry.marks ? entry.items : this.#listed(entry.items), message);
    return entry;
  }

  /**
   * Offers to undo a change, by changing the items to their earlier values.
   *
   * @param {SentAction} entry
   */
  #offerChangeBack(entry) {
    const undo = () => {
      this.#withdraw(entry);
      for (const item of entry.items) {
        const changed = { ...(this.#current(item) ?? item) };
        for (const name of Object.keys(entry.action.set ?? item)) {
          if (item[name] === undefined) delete changed[name];
          else changed[name] = item[name];
        }
        void this.#screen.send("change", { item: changed });
      }
      entry.restore();
    };
    this.#screen.page.undo.add((entry.offer = { text: this.#textOf(entry), undo }));
    entry.timer = setTimeout(() => this.#withdraw(entry), UNDO_TIME);
  }

  /** @param {{offer?: SentAction["offer"], timer?: SentAction["timer"]}} entry that can't be undone any more */
  #withdraw({ offer, timer }) {
    clearTimeout(timer);
    if (offer) this.#screen.page.undo.remove(offer);
  }

  /**
   * Has the server undo an action.
   *
   * @param {UndoableAction} entry
   */
  async #undo(entry) {
    const sent = "action" in entry ? entry : null;
    if (entry !== this.#undoable) await sent?.reported;
    this.update();
    // The server undoes its newest edit only.
    if (entry !== this.#undoable) return;
    // The page removes the items that it has marked one by one, so it undoes each removal.
    for (let left = sent && !sent.marks ? sent.items.length : 1; left > 0 && entry === this.#undoable; left -= 1) {
      if (!(await this.#screen.send("undo"))) return;
      this.update();
    }
    if (!sent) return;
    this.#sent = this.#sent.filter((other) => other !== sent);
    // The server restores the marks of items that it has removed.
    if (!sent.marks || sent.action.input === "change") return sent.restore();
    this.#screen.draw();
    if (sent.marks.all) this.#screen.rows.scrollTo(sent.scrollTop ?? 0);
  }

  /**
   * Returns the action that made an edit.
   *
   * @param {UndoableEdit} edit
   */
  #actionOf({ input, ids, all, except }) {
    const named = [ids ?? except ?? []].flat().map((id) => stringify(id));
    return this.#sent.find(
      (entry) => entry.reported && entry.action.input === input && !entry.marks?.all === !all && (all || named.length > 0) && named.every((id) => entry.ids?.has(id)),
    );
  }

  /**
   * Returns an item as it is listed now; undefined if it isn't.
   *
   * @param {any} item
   */
  #current(item) {
    const { items, info } = this.#screen;
    return itemAt(items, indexOfItem(items, this.#screen.idOf(item), info.display));
  }

  /**
   * Whether an item is listed without the values that an action gives it.
   *
   * @param {any} item
   * @param {import("./action.js").Action} action
   */
  #lacksChange(item, { set = {} }) {
    const now = this.#current(item);
    return now !== undefined && Object.keys(set).some((name) => stringify(now[name]) !== stringify(set[name]));
  }

  /**
   * Returns the items that are listed.
   *
   * @param {any[]} items
   */
  #listed(items) {
    return items.filter((item) => this.#current(item) !== undefined);
  }

  /** @param {Pick<SentAction, "action" | "items" | "marks">} entry */
  #textOf({ action, items, marks }) {
    return `${action.name}: ${nameItems(items, this.#screen.info.display, marks)}`;
  }

  /**
   * Reports that an action has failed, and offers to send it again.
   *
   * @param {SentAction} entry
   * @param {any[]} items that have failed
   * @param {string} why
   */
  #complain(entry, items, why) {
    const { action, marks } = entry;
    const were = (marks ?? { count: items.length }).count === 1 ? "was" : "were";
    const what = action.input === "remove" ? `${nameItems(items, this.#screen.info.display, marks)} ${were} restored` : this.#textOf({ action, items, marks });
    this.#screen.page.showError(`${what}: ${why}`, "Try again", () => {
      this.#sent = this.#sent.filter((other) => other !== entry);
      if (marks) entry.restore();
      void this.send({ ...entry, items });
    });
  }

  /**
   * @param {string} input
   * @param {{marked?: boolean}} params
   * @returns {Promise<string | null>} the error message
   */
  async #call(input, params) {
    const { view, page } = this.#screen;
    try {
      const outcome = await view.call(input, params);
      return outcome === "failed" ? this.#screen.failure?.message || "It failed." : null;
    } catch (error) {
      const isGone = error instanceof InvalidParamsError && input === "remove" && !params.marked;
      // These aren't errors for the user: the item is already removed, the connection is lost (the banner reports it), or the view is closed.
      if (error instanceof ConnectionClosedError) page.remindOffline();
      else if (!isGone && !(error instanceof NoSuchViewError)) return String(/** @type {any} */ (error)?.message || error);
      return null;
    }
  }
}
