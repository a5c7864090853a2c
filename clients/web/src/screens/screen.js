import { ConnectionClosedError, InvalidParamsError, NoSuchViewError, sameId, ViewBase } from "../../../javascript/src/index.js";
import { NOTHING } from "../list/items.js";
import { humane, identity, isObject, titleOf } from "../text/item-display.js";
import { h, iconButton, setText } from "../ui/dom.js";
import { isTyped } from "../ui/keyboard.js";
import { themeButton } from "../ui/theme.js";

/**
 * @typedef {import("../../../javascript/src/types.js").View} View
 *
 * What is kept of where the user is.
 *
 * @typedef {import("../net/address.js").Looked & {place?: import("../list/rows.js").Place, followed?: number, marks?: string[]}} Bookmark
 *
 * What a screen needs of the page.
 *
 * @typedef {object} Page
 * @property {(screen: Screen, item: any, pager: View | undefined, isOwn?: boolean) => void} open shows an item beside a list: one of the list's own, or
 *   one of something else, whose id may be the same
 * @property {(text: string) => void} say tells those who listen
 * @property {(message: string, remedy?: string, mend?: () => void) => void} complain
 * @property {(text: string) => void} offer shows what has just happened, for a while
 * @property {import("../shell/undo.js").Undo} undo what can be undone
 * @property {(screen: Screen, params: object) => Promise<View>} view opens a screen's view once more, in its own way
 * @property {() => void} remind says that this can't be done without a connection
 * @property {(screen: Screen, message: string) => void} leave goes back to the screen before, and says why
 * @property {(screen: Screen, view: View) => void} push shows a view that a screen has opened
 * @property {(screen: Screen, id: string) => void} missing opens an item that isn't listed, or says that there is none
 * @property {(view: View) => import("../net/discovery.js").Kind} kindOf
 * @property {() => void} remember has the address say where the user is, soon
 * @property {boolean} detailed whether an item is shown beside
 */

/** A view on the page. It is drawn anew when the view says something, once a frame at most. */
export class Screen {
  element;
  bar;
  /** Where the user is, beside the title. */
  position = h("span", { class: "position" });
  #drawing = false;
  /** @type {HTMLElement | null} */
  #refresh;
  /** @type {any} the id of the item that an input is told of just now */
  #telling;

  /**
   * @param {View} view
   * @param {Page} page
   * @param {import("../net/discovery.js").About} about
   */
  constructor(view, page, about) {
    this.view = view;
    this.page = page;
    this.about = about;
    const title = h("h2", { class: "title" }, humane(view.screen));
    this.#refresh = this.has("refresh") ? iconButton("refresh", "Refresh", () => this.refresh()) : null;
    this.bar = h("header", { class: "bar" }, title, this.position, this.#refresh, themeButton());
    this.element = h("section", { class: "screen", "aria-label": humane(view.screen), hidden: true }, this.bar);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#listen();
  }

  /** Shows another view of the same screen from now on. */
  adopt(/** @type {View} */ view) {
    this.view = view;
    this.#listen();
    this.draw();
  }

  #listen() {
    const { view, about } = this;
    for (const output of about.outputs.keys()) {
      view.subscribe(output, (value) => {
        if (view === this.view) this.heard(output, value);
      });
    }
  }

  /** Comes into sight for the first time, or again after the connection was lost. */
  begin() {}

  /** Comes into sight. */
  appear() {}

  /**
   * Where the user is, as far as the address and its entry in the history keep it.
   *
   * @returns {Bookmark}
   */
  bookmark() {
    return {};
  }

  /**
   * Goes to where the user was in another session, before anything has come.
   *
   * @param {Bookmark} _bookmark
   */
  resume(_bookmark) {}

  /** Draws what is current. */
  draw() {}

  /** Takes the focus. */
  focus() {}

  /** Ends what can be ended. */
  escape() {}

  /** The connection is gone. */
  lost() {}

  /** Shows an item whose id is in the page's address, as soon as it is there. */
  restore(/** @type {string} */ id) {
    this.page.missing(this, id);
  }

  /** An item of this screen is shown beside it; null if none is. */
  follow(/** @type {any} */ _id, /** @type {number} */ _index) {}

  /** The output that has its items. */
  list = "";
  /**
   * What can be done with its items.
   *
   * @type {import("../actions/action.js").Action[]}
   */
  actions = [];

  /**
   * Does something with items.
   *
   * @param {import("../actions/action.js").Action} _action
   * @param {any[]} _items
   * @returns {Promise<boolean>} whether they have left the list, and the view hasn't been told yet
   */
  async act(_action, _items) {
    return false;
  }

  /**
   * What can be done here, for a list of all that.
   *
   * @returns {import("../dialogs/popup-menu.js").Command[]}
   */
  commands() {
    return this.has("refresh") ? [{ name: "Refresh", key: "r", group: humane(this.view.screen), act: () => this.refresh() }] : [];
  }

  /** Carries out what is held, because the page or the view is left. */
  finish() {}

  refresh() {
    if (this.view.isOpen) this.view.send("refresh");
    else this.page.remind();
  }

  /** @param {boolean} there whether there is a connection */
  connected(there) {
    this.#refresh?.setAttribute("aria-disabled", String(!there));
  }

  /**
   * @param {string} output
   * @param {any} value
   */
  heard(output, value) {
    if (output in this.view.current) this.drawSoon();
    else if (value instanceof ViewBase) this.navigate(/** @type {View} */ (value));
    else if (output === "dismiss") this.page.leave(this, "");
    else if (!["scrollToTop", "scrollTo"].includes(output)) this.#announce(output, value);
  }

  /** Another view was opened. */
  navigate(/** @type {View} */ view) {
    this.page.push(this, view);
  }

  /** The failure that stands; null if none does. */
  get failure() {
    const { error } = this.view.current;
    return typeof error?.message === "string" ? error : typeof error === "string" ? { message: error, trigger: "" } : null;
  }

  /** @returns {import("../list/items.js").Listed} */
  get items() {
    return this.view.value(this.list) ?? NOTHING;
  }

  /** The names of the states. */
  states() {
    return [...this.about.outputs.keys()].filter((name) => name in this.view.current);
  }

  drawSoon() {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      this.draw();
    });
  }

  /** @param {string} input */
  has(input) {
    return this.about.inputs.has(input);
  }

  /**
   * Tells the view something, and the user what is wrong with it.
   *
   * @param {string} input
   * @param {object} [params]
   * @returns {Promise<{opened: View | undefined} | null>} null if something was wrong
   */
  async ask(input, params = {}) {
    const { id } = /** @type {any} */ (params);
    this.#telling = id;
    try {
      return { opened: await this.view.open(input, params) };
    } catch (error) {
      // Of these the page tells by itself.
      const known = error instanceof ConnectionClosedError || error instanceof NoSuchViewError;
      if (known) this.page.remind();
      else this.page.complain(String(/** @type {Error} */ (error).message));
      return null;
    } finally {
      this.#telling = undefined;
    }
  }

  /**
   * Tells the view what somebody has filled in.
   *
   * @param {string} input
   * @param {object} params
   * @returns {Promise<InvalidParamsError | null>} what is wrong with a parameter; of all else the page tells
   */
  async tell(input, params) {
    try {
      await this.view.open(input, params);
    } catch (error) {
      if (error instanceof InvalidParamsError) return error;
      if (error instanceof ConnectionClosedError || error instanceof NoSuchViewError) this.page.remind();
      else this.page.complain(String(/** @type {Error} */ (error).message));
    }
    return null;
  }

  /**
   * Something has happened. That an item was told of which somebody has just opened is seen.
   *
   * @param {string} output
   * @param {any} value
   */
  #announce(output, value) {
    if (this.#telling !== undefined && isObject(value) && sameId(identity(value, this.about.display), this.#telling)) return;
    const what = value === null || (isObject(value) && Object.keys(value).length === 0) ? "" : titleOf(value);
    this.page.offer([humane(output), what].filter(Boolean).join(": "));
  }

  /**
   * What a key does in this screen, and only while it has the focus.
   *
   * @param {string} key
   * @returns {boolean} whether it did something
   */
  pressed(key) {
    if (key === "r" && this.has("refresh")) this.refresh();
    else if (key === "t" && this.has("retry") && this.failure) this.view.send("retry");
    else return false;
    return true;
  }

  /**
   * Tells those who listen, as long as the screen is in sight.
   *
   * @param {string} text
   */
  say(text) {
    if (!this.element.hidden) this.page.say(text);
  }

  /** @param {string} text */
  place(text) {
    setText(this.position, text);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyped(event.target)) return;
    if (this.pressed(event.key)) event.preventDefault();
  }
}
