import { Detail } from "../item/detail.js";
import { loadCommandPalette, loadDivider } from "../lazy.js";
import { WINDOW } from "../list/items.js";
import { hashOf, parseHash } from "../net/address.js";
import { screenOf } from "../screens/create-screen.js";
import { humane, identity } from "../text/item-display.js";
import { h, iconButton, setText } from "../ui/dom.js";
import { aim, hasFocus, isTyped, undoes } from "../ui/keyboard.js";
import { emptiness } from "../ui/notice.js";
import { addressOf, Bookmarks } from "./bookmarks.js";
import { Banner } from "./connection-banner.js";
import { Menu } from "./menu.js";
import { pagerOf } from "./open-pager.js";
import { Tidings } from "./status-line.js";
import { Toast } from "./toast.js";
import { Undo } from "./undo.js";

/**
 * @typedef {import("../net/session.js").About} About
 * @typedef {import("../net/session.js").View} View
 * @typedef {import("../screens/screen.js").Screen} Screen
 */

/** The place in a list from which on it is opened with a window. Before it, the list is grown to where the user was. */
const FAR = 1000;

/** The page: the screens of a server, of which one is shown, and the item beside it. */
export class Shell {
  /** @type {import("../../../javascript/src/app.js").App} */
  #app;
  /** @type {About[]} those that can be opened by their names */
  #abouts = [];
  /** @type {Map<string, About>} all of them */
  #known = new Map();
  /** @type {Map<string, Screen>} */
  #screens = new Map();
  /** @type {Screen | null} */
  #shown = null;
  /** @type {string[]} names of screens, the newest last */
  #before = [];
  /** None while a child is shown, which has no address. */
  #history = new Bookmarks(() => (this.#children.length === 0 ? this.#shown : null));
  /** @type {Screen[]} those that the one that is shown has opened, the newest last */
  #children = [];
  #menu = new Menu({ again: () => this.#focus(), refused: () => this.remind() });
  #panes = h("div", { class: "panes" });
  #said = h("div", { class: "hidden-text", role: "status" });
  #tidings = new Tidings();
  #toast = new Toast();
  #detail = new Detail({
    closes: () => this.#leaveDetail(),
    moved: ({ id, index }) => this.#moved(id, index),
    leaves: () => this.#leaveDetail(),
  });
  #nothing = h(
    "section",
    { class: "beside", "aria-label": "No detail" },
    emptiness("empty", "Nothing selected", "Choose one on the left; ← and → go on from there"),
  );
  banner;
  undo = new Undo();

  /**
   * @param {import("../../../javascript/src/app.js").App} app
   * @param {() => void} hurry tries to connect now
   */
  constructor(app, hurry) {
    this.#app = app;
    this.banner = new Banner(hurry);
    this.#detail.element.hidden = true;
    const skip = h("a", { class: "skip", href: "#content" }, "Skip to the content");
    skip.addEventListener("click", (event) => this.#skip(event));
    void loadDivider().then(({ separator }) => this.#nothing.before(separator(this.#panes)), () => {});
    const toasts = h("div", { class: "toasts" }, this.#toast.element, this.undo.element);
    this.#panes.append(this.#nothing, this.#detail.element, toasts);
    const main = h("main", { id: "content" }, this.banner.element, this.#tidings.element, this.#panes, this.#said);
    document.body.replaceChildren(skip, this.#menu.element, main);
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("popstate", () => void this.#route());
    addEventListener("pagehide", () => this.#all.forEach((screen) => screen.finish()));
    document.documentElement.addEventListener("layout", () => this.#shown?.appear());
  }

  /**
   * There is a connection, the first one or another.
   *
   * @param {About[]} abouts
   */
  opened(abouts) {
    this.banner.hide();
    this.#known = new Map(abouts.map((about) => [about.screen, about]));
    this.#abouts = abouts.filter(({ opens }) => opens);
    this.#menu.offer(this.#abouts);
    this.#menu.mark(this.#shown?.view.screen);
    // What others had opened is gone with the server.
    this.#leaveChildren(0);
    for (const [name, screen] of this.#screens) {
      if (screen.view.isOpen) screen.begin();
      else this.#drop(name, screen);
    }
    this.#connected(true);
    void this.#route();
  }

  /** The screens that are open, whether they are shown or not. */
  get #all() {
    return [...this.#screens.values(), ...this.#children];
  }

  /** @returns {Screen | null} the screen that is seen */
  get #seen() {
    return this.#children.at(-1) ?? this.#shown;
  }

  lost() {
    for (const screen of this.#all) screen.lost();
    this.#detail.lost();
    this.#connected(false);
  }

  /** @param {boolean} there */
  #connected(there) {
    for (const screen of this.#screens.values()) screen.connected(there);
    this.#menu.allow((screen) => there || this.#screens.has(screen));
  }

  /**
   * @param {Screen} screen
   * @param {any} item
   * @param {View | undefined} pager
   * @param {boolean} [isOwn] whether it shows items of the screen's list
   */
  open(screen, item, pager, isOwn = true) {
    const id = pager ? pager["page"].id : identity(item, screen.about.display);
    if (screen !== this.#shown) {
      void pager?.close().catch(() => {});
      return;
    }
    this.#forgetPager();
    const { hidden } = this.#detail.element;
    const address = addressOf(screen, isOwn ? id : null);
    const state = { ...screen.bookmark(), pushed: hidden || history.state?.pushed };
    if (location.hash !== address || !isOwn) history[hidden ? "pushState" : "replaceState"](state, "", address);
    this.#showDetail(true);
    this.#detail.follow(screen, item, /** @type {any} */ (pager), isOwn, this.#known.get(pager?.screen ?? "")?.display);
    screen.follow(isOwn ? id : undefined, -1);
    if (hidden) this.#detail.focus();
  }

  /** @param {string} text */
  say(text) {
    setText(this.#said, text);
  }

  /**
   * @param {string} message
   * @param {string} [remedy]
   * @param {() => void} [mend]
   */
  complain(message, remedy, mend) {
    this.#tidings.complain(message, remedy, mend);
  }

  /** @param {string} text */
  offer(text) {
    this.#toast.show(text);
  }

  remind() {
    this.banner.remind();
  }

  /**
   * @param {Screen} screen
   * @param {object} params
   */
  view({ view }, params) {
    return this.#app.open(view.screen, params);
  }

  /**
   * @param {Screen} screen
   * @param {string} message
   */
  async leave(screen, message) {
    const name = this.#before.at(-1);
    const child = this.#children.indexOf(screen);
    if (child >= 0) {
      this.#leaveChildren(child);
      history.back();
    } else if (name !== undefined) {
      history.pushState(null, "", hashOf(name));
      await this.#route();
    }
    if (message) this.#tidings.say(message);
  }

  /** @param {View} view */
  kindOf(view) {
    return this.#known.get(view.screen)?.kind ?? "other";
  }

  /**
   * @param {Screen} screen
   * @param {View} view
   */
  push(screen, view) {
    const about = this.#known.get(view.screen);
    if (!about || screen !== this.#seen) {
      void view.close().catch(() => {});
      return;
    }
    const child = screenOf(view, this, about);
    child.bar.prepend(iconButton("leave", "Back", () => history.back()));
    view.subscribe("closed", () => this.#children.includes(child) && this.leave(child, ""));
    this.closeDetail();
    history.pushState({ child: view.view }, "", location.hash);
    screen.element.hidden = true;
    this.#children.push(child);
    this.#panes.prepend(child.element);
    this.#lay(child);
    child.begin();
    child.draw();
    child.focus();
  }

  /**
   * Leaves all that was opened from a place on, and shows what stands before it.
   *
   * @param {number} place
   */
  #leaveChildren(place) {
    const left = this.#children.splice(place);
    if (left.length === 0) return;
    for (const child of left) {
      const { view, element } = child;
      child.finish();
      element.remove();
      if (view.isOpen) void view.close().catch(() => {});
    }
    const screen = this.#seen;
    if (!screen) return;
    this.#lay(screen);
    screen.focus();
  }

  /**
   * An item isn't listed: it is opened by its id alone, if it can be.
   *
   * @param {Screen} screen
   * @param {string} id as the address has it
   */
  async missing(screen, id) {
    const pager = await pagerOf(this.#app, this.#known.values(), screen, id);
    // Somebody may have gone on meanwhile.
    if (parseHash(location.hash).id !== id) return void pager?.close().catch(() => {});
    if (pager) return this.open(screen, { id: pager["page"].id }, pager);
    this.closeDetail();
    history.replaceState(history.state, "", addressOf(screen));
    this.complain(`“${id}” isn't among what ${humane(screen.view.screen)} has loaded.`);
  }

  remember() {
    this.#history.remember();
  }

  get detailed() {
    return !this.#detail.element.hidden;
  }

  closeDetail() {
    if (this.#detail.element.hidden) return;
    this.#forgetPager();
    this.#showDetail(false);
    this.#shown?.follow(undefined, -1);
    const { screen, id } = parseHash(location.hash);
    if (id !== null && screen === this.#shown?.view.screen) history.replaceState({ ...this.#shown.bookmark() }, "", addressOf(this.#shown));
  }

  /** Shows what the address says. */
  async #route() {
    const child = this.#children.findIndex(({ view }) => view.view === history.state?.child);
    this.#leaveChildren(child + 1);
    if (child >= 0) return;
    const { screen: named, id } = parseHash(location.hash);
    const about = this.#abouts.find(({ screen }) => screen === named) ?? this.#abouts[0];
    if (!about) return this.complain("The server has no screens: give it some in its configuration.");
    if (about.screen !== named) history.replaceState(null, "", hashOf(about.screen));
    const screen = await this.#screen(about);
    if (!screen) return;
    if (screen !== this.#shown) this.#show(screen);
    if (named !== "" && named !== about.screen) this.complain(`There is no screen “${named}”.`);
    if (id === null || about.screen !== named) {
      const focused = this.#detail.element.contains(document.activeElement);
      this.closeDetail();
      if (focused) screen.focus();
    } else if (!this.#detail.pager?.isOpen) screen.restore(id);
  }

  /**
   * The screen, opened if it isn't yet.
   *
   * @param {About} about
   * @returns {Promise<Screen | null>}
   */
  async #screen(about) {
    const there = this.#screens.get(about.screen);
    if (there) return there;
    try {
      const isFar = about.windowed && parseHash(location.hash).screen === about.screen && history.state?.place?.index >= FAR;
      const view = await this.#app.open(about.screen, isFar ? { window: WINDOW } : {});
      const screen = this.#screens.get(about.screen) ?? screenOf(view, this, about);
      // Two came for the same screen at once.
      if (screen.view !== view) void view.close().catch(() => {});
      else this.#add(about.screen, screen);
      return screen;
    } catch (error) {
      if (this.#app.state === "open") this.complain(String(/** @type {Error} */ (error).message));
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
    const { screen: named, id: _, ...looked } = parseHash(location.hash);
    // What another screen of this name has kept is another place.
    if (named === name) screen.resume({ ...history.state, ...looked });
    screen.begin();
    screen.draw();
  }

  /**
   * @param {string} name
   * @param {Screen} screen
   */
  #drop(name, screen) {
    this.#screens.delete(name);
    screen.element.remove();
    if (screen === this.#shown) this.#shown = null;
  }

  /** @param {Screen} screen */
  #show(screen) {
    this.closeDetail();
    this.#tidings.hide();
    // What was said of another is over.
    this.say("");
    const old = this.#shown;
    this.#shown = screen;
    const name = screen.view.screen;
    if (old) this.#before = [...this.#before, old.view.screen].filter((before) => before !== name);
    for (const other of this.#screens.values()) other.element.hidden = true;
    this.#menu.mark(name);
    this.#lay(screen);
    // The focus is left where somebody has put it while the page was loading.
    if (old || !hasFocus()) screen.focus();
  }

  /**
   * Gives a screen its place.
   *
   * @param {Screen} screen
   */
  #lay(screen) {
    document.title = `${humane(screen.view.screen)} – Nagare`;
    const detailed = ["list", "search", "feed"].includes(screen.about.kind);
    this.#panes.classList.toggle("alone", !detailed);
    this.#nothing.hidden = !detailed;
    screen.element.hidden = false;
    screen.appear();
  }

  /** @param {boolean} visible */
  #showDetail(visible) {
    this.#detail.element.hidden = !visible;
    this.#panes.classList.toggle("detailed", visible);
    this.#nothing.hidden = visible;
  }

  /**
   * @param {any} id
   * @param {number | null} index
   */
  #moved(id, index) {
    if (!this.#shown) return;
    history.replaceState(history.state, "", addressOf(this.#shown, id));
    if (index !== null) this.#shown.follow(id, index);
    this.remember();
  }

  #leaveDetail() {
    if (history.state?.pushed) return history.back();
    this.closeDetail();
    this.#shown?.focus();
  }

  #forgetPager() {
    const { pager } = this.#detail;
    this.#detail.clear();
    if (pager?.isOpen) void pager.close().catch(() => {});
  }

  /**
   * Asks for a command, or lists the keys. What does so comes after the first rows.
   *
   * @param {"palette" | "keys"} what
   */
  #ask(what) {
    void Promise.all([loadCommandPalette(), loadDivider()]).then(([palette, { layoutCommands }]) => palette[what]([...this.#commands(), ...layoutCommands()]));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return this.#ask("palette");
    }
    if (!isTyped(event.target) && event.key === ":") {
      event.preventDefault();
      return this.#ask("palette");
    }
    if (!isTyped(event.target) && event.key === "?") return this.#ask("keys");
    if (undoes(event) || (event.key === "u" && this.#undoesByLetter && hasFocus() && !event.ctrlKey && !event.metaKey && !event.altKey)) {
      if (!isTyped(event.target) && this.undo.undo()) event.preventDefault();
      return;
    }
    if (event.key !== "Escape") return aim(event, () => this.#focus());
    if (this.#tidings.shown) this.#tidings.hide();
    else if (!this.#detail.element.hidden) this.#leaveDetail();
    else if (this.#children.length > 0) history.back();
    else this.#shown?.escape();
  }

  /** Whether `u` undoes: where none of the app's actions has that key. */
  get #undoesByLetter() {
    return !this.#seen?.actions.some(({ key }) => key === "u");
  }

  /** What can be done now: here, and elsewhere. */
  #commands() {
    const screens = this.#abouts.map(({ screen }) => ({ name: humane(screen), group: "Screen", act: () => (location.hash = hashOf(screen)) }));
    return [...(this.#seen?.commands() ?? []), ...screens];
  }

  #focus() {
    if (this.#detail.element.hidden) this.#seen?.focus();
    else this.#detail.focus();
  }

  /** @param {Event} event */
  #skip(event) {
    event.preventDefault();
    this.#focus();
  }
}
