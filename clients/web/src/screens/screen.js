import { ConnectionClosedError, InvalidParamsError, NoSuchViewError, sameId, ViewBase } from "../../../javascript/src/index.js";
import { NO_ITEMS } from "../list/items.js";
import { hashOf } from "../net/address.js";
import { takesNothing } from "../net/discovery.js";
import { idOf, titleOf } from "../text/item-display.js";
import { humanize, isObject } from "../text/value.js";
import { h, iconButton, setText } from "../ui/dom.js";
import { isTextField } from "../ui/keyboard.js";
import { themeButton } from "../ui/theme.js";

/**
 * @typedef {import("../../../javascript/src/types.js").View} View
 *
 * The user's position in a screen, as the URL and the history keep it.
 *
 * @typedef {import("../net/address.js").Criteria & {place?: import("../list/rows.js").RowPosition, followed?: number, marks?: string[]}} Bookmark
 *
 * What screens use of the page.
 *
 * @typedef {object} Page
 * @property {(screen: Screen, item: any, pager: View | undefined, isOwn?: boolean) => void} openItem shows an item next to a list. `isOwn` is whether it
 *   is one of the list's; other items may have the same ids
 * @property {(text: string) => void} announce to screen readers
 * @property {(message: string, remedy?: string, mend?: () => void) => void} showError
 * @property {(text: string) => void} showToast
 * @property {import("../shell/undo.js").Undo} undo
 * @property {(screen: Screen, params: object) => Promise<View>} openView opens another view of a screen
 * @property {() => void} remindOffline reports that something needs a connection
 * @property {(screen: Screen, message: string) => void} leave returns to the previous screen and shows a message
 * @property {(screen: Screen, view: View) => void} pushView shows a view that a screen has opened
 * @property {(view: View) => void} hideView sends `disappear` to a view. If the view is still shown, `appear` follows
 * @property {(screen: Screen) => void} viewClosed called when the server has closed a screen's view
 * @property {(screen: Screen, id: string) => void} openUnlisted opens an item that isn't listed, or reports that there is none
 * @property {(view: View) => import("../net/discovery.js").Kind} kindOf
 * @property {() => void} rememberPosition saves the user's position soon
 * @property {boolean} isDetailShown
 */

/** Shows a view. It is drawn after the view's outputs have changed, once for all changes. */
export class Screen {
  element;
  bar;
  /** The number of items, next to the title. */
  #position = h("span", { class: "position" });
  #drawing = false;
  /** @type {HTMLElement | null} */
  #refresh;
  /** @type {any} the id in the request that is being sent */
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

  /** Shows another view of the same screen. */
  replaceView(/** @type {View} */ view) {
    this.page.hideView(this.view);
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
    view.subscribe("closed", () => view === this.view && this.page.viewClosed(this));
  }

  /** Called when the screen is shown for the first time, or again after the connection was lost. */
  start() {}

  /** Called when the screen becomes visible. */
  appear() {}

  /** Sends `appear` to the view if it has this input. */
  sendAppear() {
    this.view.send("appear");
  }

  /**
   * Returns the user's position.
   *
   * @returns {Bookmark}
   */
  bookmark() {
    return {};
  }

  /**
   * Returns the page's address of the screen.
   *
   * @param {any} [id] of the item that is open next to it
   */
  address(id) {
    return hashOf(this.view.screen, id, this.bookmark());
  }

  /**
   * Restores the user's position before anything is loaded.
   *
   * @param {Bookmark} _bookmark
   */
  restoreBookmark(_bookmark) {}

  /** Draws the current values. */
  draw() {}

  /** Focuses the content. */
  focus() {}

  /** Called when Escape is pressed. */
  handleEscape() {}

  /** Called when the connection is lost. */
  connectionLost() {}

  /** Opens the item whose id is in the URL once it is loaded. */
  openFromAddress(/** @type {string} */ id) {
    this.page.openUnlisted(this, id);
  }

  /** Called when an item of this screen is opened, or undefined when none is open any more. */
  itemOpened(/** @type {any} */ _id, /** @type {number} */ _index) {}

  /** The output with the items. */
  listOutput = "";
  /**
   * The actions on its items.
   *
   * @type {import("../actions/action.js").Action[]}
   */
  actions = [];

  /**
   * Runs an action on items.
   *
   * @param {import("../actions/action.js").Action} _action
   * @param {any[]} _items
   * @returns {Promise<boolean>} whether the items have left the list
   */
  async act(_action, _items) {
    return false;
  }

  /**
   * Returns the commands for the palette.
   *
   * @returns {import("../dialogs/popup-menu.js").Command[]}
   */
  commands() {
    return this.hasInput("refresh") ? [{ name: "Refresh", key: "r", group: humanize(this.view.screen), act: () => this.refresh() }] : [];
  }

  /** Ends the offers to undo actions, because the view is closed. */
  endUndo() {}

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

  /** Called when the view has opened another one. */
  navigate(/** @type {View} */ view) {
    this.page.pushView(this, view);
  }

  /** The current failure, or null. */
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

  /** Returns the names of the states. */
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

  /** Whether what has failed can be loaded again. The input `retry` may need an item's id instead. */
  get canRetry() {
    return takesNothing(this.info.inputs, "retry");
  }

  /**
   * Sends an input to the view, and shows the error if it is rejected.
   *
   * @param {string} input
   * @param {object} [params]
   * @returns {Promise<{opened: View | undefined} | null>} null if it was rejected
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
   * Sends an input with parameters that the user has filled in.
   *
   * @param {string} input
   * @param {object} params
   * @returns {Promise<InvalidParamsError | null>} the error if a parameter is invalid; other errors are shown
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
   * Shows an event as a toast, unless it is about the item that the user has just opened.
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
   * Handles a key while the screen has the focus.
   *
   * @param {string} key
   * @returns {boolean} whether the key did something
   */
  handleKey(key) {
    if (key === "r" && this.hasInput("refresh")) this.refresh();
    else if (key === "t" && this.canRetry && this.failure) this.view.send("retry");
    else return false;
    return true;
  }

  /**
   * Announces a text to screen readers while the screen is visible.
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
