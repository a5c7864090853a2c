import { ConnectionClosedError, InvalidParamsError, NoSuchViewError, sameId, ViewBase } from "../../../javascript/src/index.js";
import { NO_ITEMS } from "../list/items.js";
import { hashOf } from "../net/address.js";
import { idOf, titleOf } from "../text/item-display.js";
import { humanize, isObject } from "../text/value.js";
import { h, iconButton, setText } from "../ui/dom.js";
import { isTextField } from "../ui/keyboard.js";
import { themeButton } from "../ui/theme.js";

/**
 * @typedef {import("../../../javascript/src/types.js").View} View
 *
 * What is kept of where the user is.
 *
 * @typedef {import("../net/address.js").Criteria & {place?: import("../list/rows.js").RowPosition, followed?: number, marks?: string[]}} Bookmark
 *
 * What a screen needs of the page.
 *
 * @typedef {object} Page
 * @property {(screen: Screen, item: any, pager: View | undefined, isOwn?: boolean) => void} openItem shows an item beside a list: one of the list's own, or
 *   one of something else, whose id may be the same
 * @property {(text: string) => void} announce tells those who listen
 * @property {(message: string, remedy?: string, mend?: () => void) => void} showError
 * @property {(text: string) => void} showToast shows what has just happened, for a while
 * @property {import("../shell/undo.js").Undo} undo what can be undone
 * @property {(screen: Screen, params: object) => Promise<View>} openView opens a screen's view once more, in its own way
 * @property {() => void} remindOffline says that this can't be done without a connection
 * @property {(screen: Screen, message: string) => void} leave goes back to the screen before, and says why
 * @property {(screen: Screen, view: View) => void} pushView shows a view that a screen has opened
 * @property {(screen: Screen, id: string) => void} openUnlisted opens an item that isn't listed, or says that there is none
 * @property {(view: View) => import("../net/discovery.js").Kind} kindOf
 * @property {() => void} rememberPosition has the address say where the user is, soon
 * @property {boolean} isDetailShown whether an item is shown beside
 */

/** A view on the page. It is drawn anew when the view says something, once a frame at most. */
export class Screen {
  element;
  bar;
  /** Where the user is, beside the title. */
  #position = h("span", { class: "position" });
  #drawing = false;
  /** @type {HTMLElement | null} */
  #refresh;
  /** @type {any} the id of the item that an input is told of just now */
  #sentID;

  /**
   * @param {View} view
   * @param {Page} page
   * @param {import("../net/discovery.js").ScreenInfo} info
   */
  constructor(view, page, info) {
    this.view = view;
    this.page = page;
    this.info = info;
    const title = h("h2", { class: "title" }, humanize(view.screen));
    this.#refresh = this.hasInput("refresh") ? iconButton("refresh", "Refresh", () => this.refresh()) : null;
    this.bar = h("header", { class: "bar" }, title, this.#position, this.#refresh, themeButton());
    this.element = h("section", { class: "screen", "aria-label": humanize(view.screen), hidden: true }, this.bar);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#subscribe();
  }

  /** Shows another view of the same screen from now on. */
  replaceView(/** @type {View} */ view) {
    this.view = view;
    this.#subscribe();
    this.draw();
  }

  #subscribe() {
    const { view, info } = this;
    for (const output of info.outputs.keys()) {
      view.subscribe(output, (value) => {
        if (view === this.view) this.receive(output, value);
      });
    }
  }

  /** Comes into sight for the first time, or again after the connection was lost. */
  start() {}

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
   * The page's address of the screen.
   *
   * @param {any} [id] of the item that is open beside it
   */
  address(id) {
    return hashOf(this.view.screen, id, this.bookmark());
  }

  /**
   * Goes to where the user was in another session, before anything has come.
   *
   * @param {Bookmark} _bookmark
   */
  restoreBookmark(_bookmark) {}

  /** Draws what is current. */
  draw() {}

  /** Takes the focus. */
  focus() {}

  /** Ends what can be ended. */
  handleEscape() {}

  /** The connection is gone. */
  connectionLost() {}

  /** Shows an item whose id is in the page's address, as soon as it is there. */
  openFromAddress(/** @type {string} */ id) {
    this.page.openUnlisted(this, id);
  }

  /** An item of this screen is shown beside it; null if none is. */
  itemOpened(/** @type {any} */ _id, /** @type {number} */ _index) {}

  /** The output that has its items. */
  listOutput = "";
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
    return this.hasInput("refresh") ? [{ name: "Refresh", key: "r", group: humanize(this.view.screen), act: () => this.refresh() }] : [];
  }

  /** Carries out what is held, because the page or the view is left. */
  sendPending() {}

  refresh() {
    if (this.view.isOpen) this.view.send("refresh");
    else this.page.remindOffline();
  }

  /** @param {boolean} there whether there is a connection */
  setConnected(there) {
    this.#refresh?.setAttribute("aria-disabled", String(!there));
  }

  /**
   * @param {string} output
   * @param {any} value
   */
  receive(output, value) {
    if (output in this.view.current) this.drawSoon();
    else if (value instanceof ViewBase) this.navigate(/** @type {View} */ (value));
    else if (output === "dismiss") this.page.leave(this, "");
    else if (!["scrollToTop", "scrollTo"].includes(output)) this.#showEvent(output, value);
  }

  /** Another view was opened. */
  navigate(/** @type {View} */ view) {
    this.page.pushView(this, view);
  }

  /** The failure that stands; null if none does. */
  get failure() {
    const { error } = this.view.current;
    return typeof error?.message === "string" ? error : typeof error === "string" ? { message: error, trigger: "" } : null;
  }

  /** @returns {import("../list/items.js").ListItems} */
  get items() {
    return this.view.value(this.listOutput) ?? NO_ITEMS;
  }

  /** @param {any} item */
  idOf(item) {
    return idOf(item, this.info.display);
  }

  /** The names of the states. */
  stateNames() {
    return [...this.info.outputs.keys()].filter((name) => name in this.view.current);
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
  hasInput(input) {
    return this.info.inputs.has(input);
  }

  /**
   * Tells the view something, and the user what is wrong with it.
   *
   * @param {string} input
   * @param {object} [params]
   * @returns {Promise<{opened: View | undefined} | null>} null if something was wrong
   */
  async send(input, params = {}) {
    const { id } = /** @type {any} */ (params);
    this.#sentID = id;
    try {
      return { opened: await this.view.open(input, params) };
    } catch (error) {
      this.#showFailure(error);
      return null;
    } finally {
      this.#sentID = undefined;
    }
  }

  /**
   * Tells the view what somebody has filled in.
   *
   * @param {string} input
   * @param {object} params
   * @returns {Promise<InvalidParamsError | null>} what is wrong with a parameter; of all else the page tells
   */
  async submit(input, params) {
    try {
      await this.view.open(input, params);
    } catch (error) {
      if (error instanceof InvalidParamsError) return error;
      this.#showFailure(error);
    }
    return null;
  }

  /** @param {unknown} error that a request was rejected with */
  #showFailure(error) {
    // The banner reports a lost connection already.
    if (error instanceof ConnectionClosedError || error instanceof NoSuchViewError) this.page.remindOffline();
    else this.page.showError(String(/** @type {Error} */ (error).message));
  }

  /**
   * Something has happened. That an item was told of which somebody has just opened is seen.
   *
   * @param {string} output
   * @param {any} value
   */
  #showEvent(output, value) {
    if (this.#sentID !== undefined && isObject(value) && sameId(this.idOf(value), this.#sentID)) return;
    const what = value === null || (isObject(value) && Object.keys(value).length === 0) ? "" : titleOf(value);
    this.page.showToast([humanize(output), what].filter(Boolean).join(": "));
  }

  /**
   * What a key does in this screen, and only while it has the focus.
   *
   * @param {string} key
   * @returns {boolean} whether it did something
   */
  handleKey(key) {
    if (key === "r" && this.hasInput("refresh")) this.refresh();
    else if (key === "t" && this.hasInput("retry") && this.failure) this.view.send("retry");
    else return false;
    return true;
  }

  /**
   * Tells those who listen, as long as the screen is in sight.
   *
   * @param {string} text
   */
  announce(text) {
    if (!this.element.hidden) this.page.announce(text);
  }

  /** @param {string} text */
  showPosition(text) {
    setText(this.#position, text);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTextField(event.target)) return;
    if (this.handleKey(event.key)) event.preventDefault();
  }
}
