import { ConnectionClosedError, InvalidParamsError, ListWindow, NagareError, sameId } from "../../../javascript/src/index.js";
import { indexOf } from "../list/items.js";
import { identity } from "../text/item-display.js";
import { filled, named } from "./action.js";
import { isMarked } from "./marks.js";

/** Milliseconds in which what was done can be undone. */
const GRACE = 5000;

/**
 * Something that is being done with items: held, so that it can be undone, or on its way to the server.
 *
 * @typedef {object} Deed
 * @property {import("./action.js").Action} action
 * @property {any[]} items
 * @property {Record<string, any>} given parameters that the user has filled in
 * @property {number[]} [places] the index of each of its items in the list, as far as it was seen there; -1 where it wasn't. Empty once it was sent
 * @property {import("./marks.js").Kept | null} [kept] the server's marks, if it is done with all that is marked; `items` are then those of them that are here
 * @property {import("./marks.js").Kept | null} [told] the server's marks when it was sent
 * @property {number} [top] how far the list was scrolled
 * @property {() => void} undone restores everything else
 * @property {ReturnType<typeof setTimeout>} [timer]
 * @property {import("../shell/undo.js").Offer} [offer] while it is held
 * @property {boolean} [isDue] whether the time to undo it is over
 * @property {boolean} [isAstray] whether the list was searched, filtered or refreshed since, so its items may not be listed
 */

/**
 * What is done with the items of a list. A deed that can be undone is held for a while before the view is told, and until it is
 * settled the list is shown as it will be.
 *
 * - Only three things carry a held deed out: its time is over; the page or the view is left; something that can't be undone is done with the same item.
 * - Deeds are carried out in the order in which they were done, and undone in the reverse order.
 */
export class Held {
  #screen;
  #changed;
  /** @type {Set<Deed>} all that aren't settled, oldest first */
  #deeds = new Set();
  /** @type {Deed[]} those that can still be undone, oldest first */
  #held = [];

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
    return this.#deeds.size > 0;
  }

  /**
   * Whether something is being done with the server's marks. They are shown as gone until that is undone, and aren't changed
   * until it was sent: what is marked meanwhile would be done as well.
   */
  get usesMarks() {
    return [...this.#deeds].some(({ kept, told }) => kept && (told === undefined || told === this.#screen.view.current["marks"]));
  }

  /**
   * What is shown of a list.
   *
   * @param {import("../list/items.js").Listed} items
   * @returns {import("../list/items.js").Listed}
   */
  shown(items) {
    if (this.#deeds.size === 0) return items;
    if (!(items instanceof ListWindow)) return this.#without(items);
    for (const deed of this.#deeds) deed.places = deed.places?.map((place, number) => this.#placeOf(items, deed.items[number], place));
    const held = this.#without(items.held);
    const left = held.filter((item) => item !== null);
    // Where those are that remain of all nobody knows.
    if (this.hidesAll) return new ListWindow(left, 0, left.length, true);
    const above = this.#leaving.filter((place) => place < items.start).length;
    const below = this.#leaving.filter((place) => place >= items.start + items.held.length).length;
    const gone = above + items.held.length - held.length + below;
    return new ListWindow(held, items.start - above, items.length - gone, items.exact);
  }

  /**
   * Where a row is listed that is shown at an index.
   *
   * @param {number} index
   */
  listed(index) {
    return this.#leaving.reduce((place, leaving) => (leaving <= place ? place + 1 : place), index);
  }

  /** Whether all is on its way out but what was left unmarked. */
  get hidesAll() {
    return [...this.#deeds].some(({ action, kept }) => action.input === "remove" && kept?.all);
  }

  /** Where the items are listed that are shown no more, in their order. */
  get #leaving() {
    const deeds = [...this.#deeds].filter(({ action }) => action.input === "remove");
    return deeds.flatMap(({ places = [] }) => places.filter((place) => place >= 0)).sort((one, other) => one - other);
  }

  /** @param {any} item */
  #id(item) {
    return identity(item, this.#screen.about.display);
  }

  /** @param {readonly any[]} items */
  #without(items) {
    const deeds = [...this.#deeds];
    const left = deeds.filter(({ action }) => action.input === "remove");
    const stay = items.filter((item) => !left.some((deed) => this.#isFor(deed, item)));
    const set = (/** @type {any} */ item) => Object.assign({}, item, ...deeds.filter((deed) => this.#isFor(deed, item)).map(({ action }) => action.set));
    return deeds.some(({ action }) => action.set) ? stay.map((item) => (deeds.some((deed) => this.#isFor(deed, item)) ? set(item) : item)) : stay;
  }

  /**
   * The index of an item in a list.
   *
   * @param {import("../list/items.js").Listed} items
   * @param {any} item
   * @param {number} otherwise where it isn't among the rows that are here
   */
  #placeOf(items, item, otherwise) {
    const place = indexOf(items, this.#id(item), this.#screen.about.display);
    return place < 0 ? otherwise : place;
  }

  /**
   * Whether a deed is done with an item.
   *
   * @param {Deed} deed
   * @param {any} item
   */
  #isFor({ items, kept }, item) {
    if (item === null) return false;
    return kept ? isMarked(kept, this.#id(item)) : items.some((other) => sameId(this.#id(other), this.#id(item)));
  }

  /**
   * Whether two deeds are done with the same item.
   *
   * @param {Deed} one
   * @param {Deed} other
   */
  #share(one, other) {
    if (one.kept && other.kept) return true;
    return one.kept ? other.items.some((item) => this.#isFor(one, item)) : one.items.some((item) => this.#isFor(other, item));
  }

  /** @param {Deed} deed */
  take(deed) {
    const { items, rows } = this.#screen;
    const { undo } = deed.action;
    // An edit that is sent now mustn't be overtaken by an earlier one of the same item.
    const before = undo ? undefined : this.#held.filter((held) => this.#share(held, deed)).at(-1);
    if (before) this.#carryOut(before);
    deed.places = deed.items.map((item) => this.#placeOf(items, item, -1));
    deed.top = rows.scroll.top;
    this.#deeds.add(deed);
    this.#changed();
    if (undo) this.#hold(deed);
    else void this.#send(deed);
  }

  /** @param {Deed} deed */
  #hold(deed) {
    this.#held = [...this.#held, deed];
    deed.timer = setTimeout(() => this.#lapse(deed), GRACE);
    deed.offer = { text: `${deed.action.name}: ${this.#named(deed)}`, undo: () => this.#undo(deed) };
    this.#screen.page.undo.add(deed.offer);
  }

  /**
   * Whether an input is told just now what somebody has done.
   *
   * @param {string} input
   */
  does(input) {
    return [...this.#deeds].some(({ action }) => action.input === input);
  }

  /**
   * The time to undo a deed is over, unless the user is just about to.
   *
   * @param {Deed} deed
   */
  #lapse(deed) {
    if (this.#screen.page.undo.isAimedAt) deed.timer = setTimeout(() => this.#lapse(deed), GRACE);
    else this.#carryOut(deed);
  }

  /**
   * Carries out held deeds, the oldest first.
   *
   * @param {Deed} last the last of them
   */
  #carryOut(last) {
    for (const deed of this.#held.slice(0, this.#held.indexOf(last) + 1)) deed.isDue = true;
    this.look();
  }

  /** Sends what is due. A list takes edits of listed items only: what a search has taken off the list waits until it is listed again. */
  look() {
    const isListed = (/** @type {any} */ item) => this.#placeOf(this.#screen.items, item, -1) >= 0;
    const canBeSent = (/** @type {Deed} */ { isDue, isAstray, kept, items }) => isDue && (!isAstray || kept || items.every(isListed));
    for (const deed of this.#held.filter(canBeSent)) this.#sendHeld(deed);
  }

  /** Carries out all that is held, because the page or the view is left. */
  finish() {
    for (const deed of this.#held) this.#sendHeld(deed);
  }

  /**
   * The list is about to be searched, filtered or refreshed.
   *
   * @param {boolean} isOther whether for something else, which ends the server's marks
   */
  listsAnew(isOther) {
    const ended = this.#held.filter(({ kept }) => kept && (isOther || !kept.all));
    for (const deed of [...ended].reverse()) this.#undo(deed);
    if (ended.length > 0) this.#complain(ended, "the list was loaded anew, which ended their marks.", false);
    for (const deed of this.#held) Object.assign(deed, { isAstray: true, places: [] });
  }

  /** The connection is gone: what is held can't be done. */
  lost() {
    const undone = this.#held;
    for (const deed of [...undone].reverse()) this.#undo(deed);
    // Another session doesn't have the marks of this one.
    const isRepeatable = this.#screen.view.isOpen || !undone.some(({ kept }) => kept);
    if (undone.length > 0) this.#complain(undone, "there is no connection to the server.", isRepeatable);
  }

  /** @param {Deed} deed */
  #undo(deed) {
    this.#settle(deed);
    const { hidesAll } = this;
    this.#drop(deed);
    deed.undone();
    if (hidesAll) this.#screen.rows.scrollTo(deed.top ?? 0);
  }

  /** @param {Deed} deed that isn't held any more */
  #settle(deed) {
    clearTimeout(deed.timer);
    this.#held = this.#held.filter((held) => held !== deed);
    if (deed.offer) this.#screen.page.undo.remove(deed.offer);
  }

  /** @param {Deed} deed */
  #sendHeld(deed) {
    this.#settle(deed);
    void this.#send(deed);
  }

  /** @param {Deed} deed */
  async #send(deed) {
    const { action, items, given } = deed;
    // What is told is taken out of the list there.
    deed.places = [];
    const input = this.#screen.about.inputs.get(action.input);
    if (!input) return;
    if (deed.kept) return this.#sendKept(deed);
    const outcomes = await Promise.all(
      items.map((item) => this.#call(action.input, { ...filled(action, input, item, this.#screen.about.display).params, ...given }, deed.isAstray)),
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
   * @param {Deed} deed
   */
  async #sendKept(deed) {
    const { input, set } = deed.action;
    deed.told = this.#screen.view.current["marks"];
    const called = this.#call(input, { marked: true, ...(set && { set }) });
    // What was changed stays marked there.
    if (input !== "remove") this.#screen.view.send("unmark", { all: true });
    const why = await called;
    this.#drop(deed);
    if (why !== null) this.#complain([deed], why);
  }

  /**
   * @param {Deed[]} deeds that failed
   * @param {string} why
   * @param {boolean} [isRepeatable] whether the same can be tried again
   */
  #complain(deeds, why, isRepeatable = true) {
    const what = deeds.map((deed) => {
      const is = (deed.kept ? deed.kept.count : deed.items.length) === 1 ? "is" : "are";
      return deed.action.input === "remove" ? `${this.#named(deed)} ${is} back` : `${deed.action.name}: ${this.#named(deed)}`;
    });
    const again = () => {
      for (const { action, items, given, kept, undone } of deeds) this.take({ action: { ...action, undo: false }, items, given, kept, undone });
    };
    this.#screen.page.complain(`${what.join(", ")}: ${why}`, "Try again", isRepeatable ? again : undefined);
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
      if (error instanceof ConnectionClosedError) page.remind();
      else if (!isGone) return error.message;
      return null;
    }
  }

  /** @param {Deed} deed */
  #named({ items, kept }) {
    return named(items, this.#screen.about.display, kept);
  }

  /**
   * Shows its items as the list has them.
   *
   * @param {Deed} deed
   */
  #drop(deed) {
    this.#deeds.delete(deed);
    this.#changed();
  }
}
