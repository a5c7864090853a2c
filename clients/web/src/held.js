import { ConnectionClosedError, ListWindow, NagareError, sameId } from "../../javascript/src/index.js";
import { filled, named } from "./actions.js";
import { indexOf } from "./listed.js";
import { isMarked } from "./marks.js";
import { identity } from "./words.js";

/** Milliseconds in which what was done can be undone. */
const GRACE = 5000;

/**
 * Something that is being done with items, held back or on its way.
 *
 * @typedef {object} Deed
 * @property {import("./actions.js").Action} action
 * @property {any[]} items
 * @property {Record<string, any>} given what somebody has filled in
 * @property {number[]} [places] where its items were listed
 * @property {import("./marks.js").Kept | null} [kept] all that the server has marked, of which `items` are those that are here
 * @property {import("./marks.js").Kept | null} [told] what the server had marked when it was told of it
 * @property {number} [top] how far the list was scrolled
 * @property {() => void} undone has all else as it was before
 */

/**
 * What is done with the items of a list. What can be undone is held back for a while, and only then told to the view;
 * until it is settled, the list is shown as it will be.
 */
export class Held {
  #screen;
  #changed;
  /** @type {Set<Deed>} */
  #deeds = new Set();
  /** @type {Deed | undefined} the one that can be undone */
  #newest;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("./screens/screen.js").Screen & {rows: import("./rows.js").Rows}} screen
   * @param {() => void} changed other items are shown than before
   */
  constructor(screen, changed) {
    this.#screen = screen;
    this.#changed = changed;
    addEventListener("pagehide", () => this.finish());
  }

  /** Whether something is held back or on its way. */
  get isBusy() {
    return this.#deeds.size > 0;
  }

  /**
   * Whether something is being done with what the server says to be marked: it is marked no more, unless that is undone. What is marked once
   * the server was told is marked anew.
   */
  get usesMarks() {
    return [...this.#deeds].some(({ kept, told }) => kept && (told === undefined || told === this.#screen.view.current["marks"]));
  }

  /**
   * What is shown of a list.
   *
   * @param {import("./listed.js").Listed} items
   * @returns {import("./listed.js").Listed}
   */
  shown(items) {
    if (this.#deeds.size === 0) return items;
    if (!(items instanceof ListWindow)) return this.#without(items);
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
    return deeds.flatMap(({ places = [] }) => places).sort((one, other) => one - other);
  }

  /** @param {any} item */
  #id(item) {
    return identity(item, this.#screen.about.display);
  }

  /** @param {readonly any[]} items */
  #without(items) {
    const deeds = [...this.#deeds];
    const of = (/** @type {any} */ item, /** @type {Deed} */ { items, kept }) =>
      item !== null && (kept ? isMarked(kept, this.#id(item)) : items.some((other) => sameId(this.#id(other), this.#id(item))));
    const left = deeds.filter(({ action }) => action.input === "remove");
    const stay = items.filter((item) => !left.some((deed) => of(item, deed)));
    const set = (/** @type {any} */ item) => Object.assign({}, item, ...deeds.filter((deed) => of(item, deed)).map(({ action }) => action.set));
    return deeds.some(({ action }) => action.set) ? stay.map((item) => (deeds.some((deed) => of(item, deed)) ? set(item) : item)) : stay;
  }

  /** @param {Deed} deed */
  take(deed) {
    this.finish();
    deed.places = deed.items.map((item) => indexOf(this.#screen.items, this.#id(item), this.#screen.about.display)).filter((place) => place >= 0);
    deed.top = this.#screen.rows.scroll.top;
    this.#deeds.add(deed);
    this.#changed();
    if (!deed.action.undo) {
      void this.#send(deed);
      return;
    }
    this.#newest = deed;
    this.#timer = setTimeout(() => this.#lapse(), GRACE);
    this.#screen.page.offer(`${deed.action.name}: ${this.#named(deed)}`, "Undo", () => this.undo());
  }

  /**
   * Whether an input is told just now what somebody has done.
   *
   * @param {string} input
   */
  does(input) {
    return [...this.#deeds].some(({ action }) => action.input === input);
  }

  /** The time to undo it is over, unless somebody is just about to. */
  #lapse() {
    // Where nothing hovers, an element that was touched says until the next touch that something does.
    const isAt = matchMedia("(hover: hover)").matches ? ":is(:hover, :focus-within)" : ":focus-within";
    if (document.querySelector(`.toast${isAt}`)) this.#timer = setTimeout(() => this.#lapse(), GRACE);
    else this.finish();
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    const deed = this.#newest;
    if (deed === undefined) return false;
    this.#settle();
    const { hidesAll } = this;
    this.#drop(deed);
    deed.undone();
    if (hidesAll) this.#screen.rows.scrollTo(deed.top ?? 0);
    return true;
  }

  /** The connection is gone: what is held back can't be done. */
  lost() {
    const deed = this.#newest;
    if (deed && this.undo()) this.#complain(deed, "there is no connection to the server.");
  }

  /** Has the newest done now. */
  finish() {
    const deed = this.#newest;
    if (deed === undefined) return;
    this.#settle();
    void this.#send(deed);
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#newest = undefined;
    this.#screen.page.offer(null);
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
      items.map((item) => this.#call(action.input, { ...filled(action, input, item, this.#screen.about.display).params, ...given })),
    );
    const failed = items.filter((_, place) => outcomes[place] !== null);
    this.#drop(deed);
    if (failed.length === 0) return;
    const why = String(outcomes.find((outcome) => outcome !== null));
    this.#complain({ ...deed, items: failed }, why);
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
    if (why !== null) this.#complain(deed, why);
  }

  /**
   * @param {Deed} deed what couldn't be done
   * @param {string} why
   */
  #complain(deed, why) {
    const { action, items, kept } = deed;
    const is = (kept ? kept.count : items.length) === 1 ? "is" : "are";
    const what = action.input === "remove" ? `${this.#named(deed)} ${is} back` : `${action.name}: ${this.#named(deed)}`;
    const again = () => this.take({ ...deed, action: { ...action, undo: false } });
    // Another session knows nothing of marks that were kept in this one.
    this.#screen.page.complain(`${what}: ${why}`, "Try again", kept && !this.#screen.view.isOpen ? undefined : again);
  }

  /**
   * @param {string} input
   * @param {{marked?: boolean}} params
   * @returns {Promise<string | null>} what is wrong
   */
  async #call(input, params) {
    const { view, page } = this.#screen;
    try {
      const outcome = await view.call(input, params);
      return outcome === "failed" ? view.current["error"]?.message ?? "It has failed." : null;
    } catch (error) {
      if (error instanceof ConnectionClosedError) page.remind();
      else if (!(error instanceof NagareError)) throw error;
      // What is gone already needs no removal, and without a connection the page says so by itself.
      else if (input !== "remove" || params.marked) return error.message;
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
