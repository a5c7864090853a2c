import { Detail } from "../item/detail.js";
import { loadCommandPalette, loadDivider } from "../lazy.js";
import { WINDOW_OPTIONS } from "../list/items.js";
import { hashOf, parseHash } from "../net/address.js";
import { closeView } from "../net/close-view.js";
import { takesNothing } from "../net/discovery.js";
import { createScreen } from "../screens/create-screen.js";
import { humanize } from "../text/value.js";
import { h, iconButton, setText } from "../ui/dom.js";
import { hasFocus, isTextField, isUndoKey, redirectKey } from "../ui/keyboard.js";
import { emptyNotice } from "../ui/notice.js";
import { Bookmarks } from "./bookmarks.js";
import { ConnectionBanner } from "./connection-banner.js";
import { Menu } from "./menu.js";
import { openPager } from "./open-pager.js";
import { ShownViews } from "./shown-views.js";
import { StatusLine } from "./status-line.js";
import { Toast } from "./toast.js";
import { Undo } from "./undo.js";

/**
 * @typedef {import("../net/session.js").ScreenInfo} ScreenInfo
 * @typedef {import("../net/session.js").View} View
 * @typedef {import("../screens/screen.js").Screen} Screen
 */

/** The index from which on a list is opened with a window to restore a position. Shorter lists load all pages up to it. */
const FAR_INDEX = 1000;

/**
 * How often a screen is reopened automatically after the server has closed its view. After that the user must reopen it, because a
 * server might close each view at once.
 */
const MOST_REOPENINGS = 3;

/** Whether a list and its detail are side by side. Otherwise the detail covers the list. The style sheets have the same condition. */
const isWide = matchMedia("(min-width: 56rem)");

/** The page: the current screen, the item that is open next to it, and the menu. */
export class Shell {
  /** @type {import("../../../javascript/src/app.js").App} */
  #app;
  /** @type {ScreenInfo[]} the screens in the menu */
  #offered = [];
  /** @type {Map<string, ScreenInfo>} all screens, by name */
  #screenInfos = new Map();
  /** @type {Map<string, Screen>} */
  #screens = new Map();
  /** @type {Map<string, Promise<Screen | null>>} the screens that are being opened, by name */
  #opening = new Map();
  /** @type {Screen | null} */
  #shown = null;
  /** @type {string[]} names of previous screens, the newest last */
  #previousScreens = [];
  /** Nothing is saved while a pushed screen is shown, because it has no URL. */
  #history = new Bookmarks(() => (this.#children.length === 0 ? this.#shown : null));
  /** @type {Screen[]} the screens that were pushed on the current one, the newest last */
  #children = [];
  #menu = new Menu({ again: () => this.#focus(), refused: () => this.remindOffline() });
  #panes = h("div", { class: "panes" });
  #liveRegion = h("div", { class: "hidden-text", role: "status" });
  #statusLine = new StatusLine();
  #toast = new Toast();
  #detail = new Detail({
    closes: () => this.#leaveDetail(),
    moved: ({ id, index }) => this.#itemChanged(id, index),
    leaves: () => this.#leaveDetail(),
  });
  #emptyDetail = h(
    "section",
    { class: "beside", "aria-label": "No detail" },
    emptyNotice("empty", "Nothing selected", "Select an item. ← → move between items"),
  );
  #shownViews = new ShownViews((view, input) => takesNothing(this.#screenInfos.get(view.screen)?.inputs, input));
  #isConnected = false;
  /** The screen that is opened in its first state, because the server has closed its view. */
  #fresh = "";
  /** How often a screen was opened again because the server had closed its view, since the last click. */
  #reopenings = 0;
  banner;
  undo = new Undo();

  /**
   * @param {import("../../../javascript/src/app.js").App} app
   * @param {() => void} hurry tries to connect now
   */
  constructor(app, hurry) {
    this.#app = app;
    this.banner = new ConnectionBanner(hurry);
    this.#detail.element.hidden = true;
    const skip = h("a", { class: "skip", href: "#content" }, "Skip to the content");
    skip.addEventListener("click", (event) => this.#skip(event));
    void loadDivider().then(({ createDivider }) => this.#emptyDetail.before(createDivider(this.#panes)), () => {});
    const toasts = h("div", { class: "toasts" }, this.#toast.element, this.undo.element);
    this.#panes.append(this.#emptyDetail, this.#detail.element, toasts);
    const main = h("main", { id: "content" }, this.banner.element, this.#statusLine.element, this.#panes, this.#liveRegion);
    document.body.replaceChildren(skip, this.#menu.element, main);
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("click", () => (this.#reopenings = 0), true);
    addEventListener("popstate", () => void this.#route());
    addEventListener("pagehide", () => this.#shownViews.update(new Map()));
    // The browser may show a page again that was left.
    addEventListener("pageshow", () => this.#updateShown());
    isWide.addEventListener("change", () => this.#updateShown());
    document.documentElement.addEventListener("layout", () => this.#shown?.appear());
  }

  /**
   * Called when the page is connected, also again.
   *
   * @param {ScreenInfo[]} infos
   */
  connectionOpened(infos) {
    this.banner.hide();
    this.#screenInfos = new Map(infos.map((info) => [info.screen, info]));
    this.#offered = infos.filter(({ opensByName }) => opensByName);
    this.#menu.setScreens(this.#offered);
    this.#menu.setCurrent(this.#shown?.view.screen);
    // Views that were opened by others ended with the server.
    this.#closeChildren(0);
    for (const [name, screen] of this.#screens) {
      if (screen.view.isOpen) screen.start();
      else this.#remove(name, screen);
    }
    this.#setConnected(true);
    void this.#route();
    this.#updateShown();
  }

  /** @returns {Screen | null} the visible screen */
  get #visible() {
    return this.#children.at(-1) ?? this.#shown;
  }

  connectionLost() {
    for (const screen of [...this.#screens.values(), ...this.#children]) screen.connectionLost();
    this.#detail.connectionLost();
    this.#setConnected(false);
  }

  /** @param {boolean} there */
  #setConnected(there) {
    this.#isConnected = there;
    this.#shownViews.reset();
    for (const screen of this.#screens.values()) screen.setConnected(there);
    this.#menu.setAvailable((screen) => there || this.#screens.has(screen));
  }

  /**
   * @param {Screen} screen
   * @param {any} item
   * @param {View | undefined} pager
   * @param {boolean} [isOwn] whether it shows items of the screen's list
   */
  openItem(screen, item, pager, isOwn = true) {
    const id = pager ? pager["page"].id : screen.idOf(item);
    if (screen !== this.#visible) {
      closeView(pager);
      return;
    }
    this.#forgetPager();
    const { hidden } = this.#detail.element;
    if (screen === this.#shown) {
      const address = screen.address(isOwn ? id : null);
      const state = { ...screen.bookmark(), pushed: hidden || history.state?.pushed };
      if (location.hash !== address || !isOwn) history[hidden ? "pushState" : "replaceState"](state, "", address);
    } else if (hidden) {
      // The address names only the screen below: a reload couldn't open a pushed screen again.
      history.pushState({ child: screen.view.view, detailed: true, pushed: true }, "", location.hash);
    }
    this.#showDetail(true);
    this.#detail.show(screen, item, /** @type {any} */ (pager), isOwn, this.#screenInfos.get(pager?.screen ?? "")?.display);
    pager?.subscribe("closed", () => this.#isConnected && pager === this.#pager && this.#dropDetail());
    screen.itemOpened(isOwn ? id : undefined, -1);
    if (hidden) this.#detail.focus();
  }

  /** @param {string} text */
  announce(text) {
    setText(this.#liveRegion, text);
  }

  /**
   * @param {string} message
   * @param {string} [remedy]
   * @param {() => void} [mend]
   */
  showError(message, remedy, mend) {
    this.#statusLine.showError(message, remedy, mend);
  }

  /** @param {string} text */
  showToast(text) {
    this.#toast.show(text);
  }

  remindOffline() {
    this.banner.remind();
  }

  /**
   * @param {Screen} screen
   * @param {object} params
   */
  openView({ view }, params) {
    return this.#app.open(view.screen, params);
  }

  /**
   * @param {Screen} screen
   * @param {string} message
   */
  async leave(screen, message) {
    const name = this.#previousScreens.at(-1);
    const child = this.#children.indexOf(screen);
    if (child >= 0) {
      this.#closeChildren(child);
      history.back();
    } else if (name !== undefined) {
      history.pushState(null, "", hashOf(name));
      await this.#route();
    }
    if (message) this.#statusLine.showMessage(message);
  }

  /** @param {View} view */
  kindOf(view) {
    return this.#screenInfos.get(view.screen)?.kind ?? "other";
  }

  /**
   * @param {Screen} screen
   * @param {View} view
   */
  pushView(screen, view) {
    const info = this.#screenInfos.get(view.screen);
    if (!info || screen !== this.#visible) {
      closeView(view);
      return;
    }
    const child = createScreen(view, this, info);
    child.bar.prepend(iconButton("leave", "Back", () => history.back()));
    this.#closeDetail();
    history.pushState({ child: view.view }, "", location.hash);
    screen.element.hidden = true;
    this.#children.push(child);
    this.#panes.prepend(child.element);
    this.#layOut(child);
    child.start();
    child.draw();
    child.focus();
  }

  /**
   * Closes the pushed screens from an index on, and shows the one below.
   *
   * @param {number} place
   */
  #closeChildren(place) {
    if (this.#children.length <= place) return;
    this.#closeDetail();
    for (const child of this.#children.splice(place)) {
      const { view, element } = child;
      child.endUndo();
      element.remove();
      this.#close(view);
    }
    const screen = this.#visible;
    if (!screen) return;
    this.#layOut(screen);
    screen.focus();
  }

  /**
   * Opens an item that isn't listed by its id, if possible.
   *
   * @param {Screen} screen
   * @param {string} id as in the URL
   */
  async openUnlisted(screen, id) {
    const pager = await openPager(this.#app, this.#screenInfos.values(), screen, id);
    // The user may have left in the meantime.
    if (parseHash(location.hash).id !== id) return void closeView(pager);
    if (pager) return this.openItem(screen, { id: pager["page"].id }, pager);
    this.#closeDetail();
    history.replaceState(history.state, "", screen.address());
    this.showError(`“${id}” isn’t loaded in ${humanize(screen.view.screen)}.`);
  }

  /** @param {View} view */
  hideView(view) {
    this.#shownViews.hide(view);
    this.#updateShown();
  }

  /** @param {View | null} view */
  #close(view) {
    if (!view?.isOpen) return;
    this.#shownViews.hide(view);
    closeView(view);
  }

  /** Sends `appear` and `disappear` to the views, after all changes of the current event have been made. */
  #updateShown() {
    queueMicrotask(() => {
      if (!this.#isConnected) return;
      const screen = this.#visible;
      const pager = this.isDetailShown && this.#pager?.isOpen ? this.#pager : null;
      /** @type {Map<View, () => void>} */
      const views = new Map();
      if (screen && (!pager || isWide.matches)) views.set(screen.view, () => screen.sendAppear());
      if (pager) views.set(pager, () => pager.send("appear"));
      this.#shownViews.update(views);
    });
  }

  /** @param {Screen} screen */
  viewClosed(screen) {
    if (this.#children.includes(screen)) void this.leave(screen, "");
    const name = screen.view.screen;
    // Views that can't be reopened on a new connection are closed as well.
    if (!this.#isConnected || this.#app.state !== "open" || this.#screens.get(name) !== screen) return;
    const isShown = screen === this.#shown;
    screen.endUndo();
    if (isShown) {
      this.#closeChildren(0);
      this.#closeDetail();
    }
    this.#remove(name, screen);
    if (!isShown) return;
    this.#fresh = name;
    history.replaceState(null, "", hashOf(name));
    this.#reopenings += 1;
    if (this.#reopenings <= MOST_REOPENINGS) void this.#route();
    else this.showError(`The server keeps closing “${humanize(name)}”.`, "Open again", () => void this.#route());
  }

  rememberPosition() {
    this.#history.remember();
  }

  /** @returns {View | null} the view of the open item, if it has one of its own */
  get #pager() {
    return /** @type {any} */ (this.#detail.pager);
  }

  get isDetailShown() {
    return !this.#detail.element.hidden;
  }

  #closeDetail() {
    if (this.#detail.element.hidden) return;
    this.#forgetPager();
    this.#showDetail(false);
    this.#visible?.itemOpened(undefined, -1);
    if (this.#visible !== this.#shown) return;
    const { screen, id } = parseHash(location.hash);
    if (id !== null && screen === this.#shown?.view.screen) history.replaceState({ ...this.#shown.bookmark() }, "", this.#shown.address());
  }

  /** Shows what the URL names. */
  async #route() {
    const child = this.#children.findIndex(({ view }) => view.view === history.state?.child);
    this.#closeChildren(child + 1);
    if (child >= 0) {
      if (!history.state.detailed) this.#dropDetail();
      return;
    }
    const { screen: named, id } = parseHash(location.hash);
    const info = this.#offered.find(({ screen }) => screen === named) ?? this.#offered[0];
    if (!info) return this.showError("The server has no screens. Add some to its configuration.");
    if (info.screen !== named) history.replaceState(null, "", hashOf(info.screen));
    const screen = await this.#openScreen(info);
    if (!screen) return;
    if (screen !== this.#shown) this.#show(screen);
    if (named !== "" && named !== info.screen) this.showError(`There is no screen “${named}”.`);
    if (id === null || info.screen !== named) this.#dropDetail();
    else if (!this.#pager?.isOpen) screen.openFromAddress(id);
  }

  /** Closes the detail. The screen gets its focus. */
  #dropDetail() {
    const focused = this.#detail.element.contains(document.activeElement);
    this.#closeDetail();
    if (focused) this.#visible?.focus();
  }

  /**
   * Returns a screen, and opens it if necessary.
   *
   * @param {ScreenInfo} info
   * @returns {Promise<Screen | null>}
   */
  async #openScreen(info) {
    const name = info.screen;
    const there = this.#screens.get(name) ?? this.#opening.get(name);
    if (there) return there;
    const opening = this.#openNew(info).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  /**
   * @param {ScreenInfo} info
   * @returns {Promise<Screen | null>}
   */
  async #openNew(info) {
    try {
      const isFar = info.windowed && parseHash(location.hash).screen === info.screen && history.state?.place?.index >= FAR_INDEX;
      const view = await this.#app.open(info.screen, isFar ? { window: WINDOW_OPTIONS } : {});
      const screen = createScreen(view, this, info);
      this.#add(info.screen, screen);
      return screen;
    } catch (error) {
      if (this.#app.state === "open") this.showError(String(/** @type {Error} */ (error).message));
      return null;
    }
  }

  /**
   * @param {string} name
   * @param {Screen} screen
   */
  #add(name, screen) {
    this.#screens.set(name, screen);
    this.#panes.prepend(screen.element);
    const { screen: named, id: _, ...criteria } = parseHash(location.hash);
    // The position in another screen doesn't apply.
    if (named === name && this.#fresh === name) history.replaceState(null, "", hashOf(name));
    else if (named === name) screen.restoreBookmark({ ...history.state, ...criteria });
    this.#fresh = "";
    screen.start();
    screen.draw();
  }

  /**
   * @param {string} name
   * @param {Screen} screen
   */
  #remove(name, screen) {
    this.#screens.delete(name);
    screen.element.remove();
    if (screen === this.#shown) this.#shown = null;
  }

  /** @param {Screen} screen */
  #show(screen) {
    this.#closeDetail();
    this.#statusLine.hide();
    // The announcement was about another screen.
    this.announce("");
    const old = this.#shown;
    this.#shown = screen;
    const name = screen.view.screen;
    if (old) this.#previousScreens = [...this.#previousScreens, old.view.screen].filter((before) => before !== name);
    for (const other of this.#screens.values()) other.element.hidden = true;
    this.#menu.setCurrent(name);
    this.#layOut(screen);
    // The focus stays where the user put it while the page was loading.
    if (old || !hasFocus()) screen.focus();
  }

  /**
   * Adapts the page to a screen.
   *
   * @param {Screen} screen
   */
  #layOut(screen) {
    document.title = `${humanize(screen.view.screen)} – Nagare`;
    const detailed = ["list", "search", "feed"].includes(screen.info.kind);
    this.#panes.classList.toggle("alone", !detailed);
    this.#emptyDetail.hidden = !detailed;
    screen.element.hidden = false;
    screen.appear();
    this.#updateShown();
  }

  /** @param {boolean} visible */
  #showDetail(visible) {
    this.#detail.element.hidden = !visible;
    this.#panes.classList.toggle("detailed", visible);
    this.#emptyDetail.hidden = visible;
    this.#updateShown();
  }

  /**
   * @param {any} id
   * @param {number | null} index
   */
  #itemChanged(id, index) {
    const screen = this.#visible;
    if (!screen) return;
    if (screen === this.#shown) history.replaceState(history.state, "", screen.address(id));
    if (index !== null) screen.itemOpened(id, index);
    this.rememberPosition();
  }

  #leaveDetail() {
    if (history.state?.pushed) return history.back();
    this.#closeDetail();
    this.#visible?.focus();
  }

  #forgetPager() {
    const pager = this.#pager;
    this.#detail.clear();
    this.#close(pager);
  }

  /**
   * Opens the palette or the list of keys, whose modules are loaded lazily.
   *
   * @param {"openPalette" | "showKeys"} show
   */
  #openPalette(show) {
    void Promise.all([loadCommandPalette(), loadDivider()]).then(([palette, { layoutCommands }]) => palette[show]([...this.#commands(), ...layoutCommands()]));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const types = isTextField(event.target);
    if (event.key === "k" ? event.ctrlKey || event.metaKey : event.key === ":" && !types) {
      event.preventDefault();
      return this.#openPalette("openPalette");
    }
    if (event.key === "?" && !types) return this.#openPalette("showKeys");
    if (isUndoKey(event) || (event.key === "u" && this.#undoesByLetter && hasFocus() && !event.ctrlKey && !event.metaKey && !event.altKey)) {
      if (!types && this.undo.undo()) event.preventDefault();
      return;
    }
    if (event.key !== "Escape") return redirectKey(event, () => this.#focus());
    if (this.#statusLine.isShown) this.#statusLine.hide();
    else if (!this.#detail.element.hidden) this.#leaveDetail();
    else if (this.#children.length > 0) history.back();
    else this.#shown?.handleEscape();
  }

  /** Whether the key `u` undoes: if no action has it. */
  get #undoesByLetter() {
    return !this.#visible?.actions.some(({ key }) => key === "u");
  }

  /** The commands for the palette. */
  #commands() {
    const screens = this.#offered.map(({ screen }) => ({ name: humanize(screen), group: "Screen", act: () => (location.hash = hashOf(screen)) }));
    return [...(this.#visible?.commands() ?? []), ...screens];
  }

  #focus() {
    if (this.#detail.element.hidden) this.#visible?.focus();
    else this.#detail.focus();
  }

  /** @param {Event} event */
  #skip(event) {
    event.preventDefault();
    this.#focus();
  }
}
