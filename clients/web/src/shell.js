import { hashOf, parseHash } from "./address.js";
import { Banner } from "./banner.js";
import { Detail } from "./detail.js";
import { h, icon, iconButton, setText } from "./dom.js";
import { ICONS } from "./icons.js";
import { emptiness } from "./notice.js";
import { ChoiceScreen } from "./screens/choice.js";
import { FeedScreen } from "./screens/feed.js";
import { ListScreen } from "./screens/list.js";
import { Screen } from "./screens/screen.js";
import { SearchScreen } from "./screens/search.js";
import { TaskScreen } from "./screens/task.js";
import { UnknownScreen } from "./screens/unknown.js";
import { humane, identity } from "./words.js";

/**
 * @typedef {import("./session.js").About} About
 * @typedef {import("./session.js").View} View
 */

/** @type {Record<string, typeof Screen>} */
const SCREENS = { list: ListScreen, search: SearchScreen, choice: ChoiceScreen, feed: FeedScreen, task: TaskScreen };

/** The page: the screens of a server, of which one is shown, and the item beside it. */
export class Shell {
  /** @type {import("../../javascript/src/app.js").App} */
  #app;
  /** @type {About[]} those that can be opened */
  #abouts = [];
  /** @type {Map<string, Screen>} */
  #screens = new Map();
  /** @type {Screen | null} */
  #shown = null;
  /** @type {string[]} names of screens, the newest last */
  #before = [];
  #links = h("ul", {});
  #panes = h("div", { class: "panes" });
  #said = h("div", { class: "hidden-text", role: "status" });
  #complaint = h("div", { class: "complaints", role: "alert", hidden: true });
  #detail = new Detail({ closes: () => this.#leaveDetail(), moved: ({ id, index }) => this.#moved(id, index) });
  #nothing = h(
    "section",
    { class: "beside", "aria-label": "No detail" },
    emptiness("empty", "Nothing selected", "Choose one on the left; ← and → go on from there"),
  );
  banner;

  /**
   * @param {import("../../javascript/src/app.js").App} app
   * @param {() => void} hurry tries to connect now
   */
  constructor(app, hurry) {
    this.#app = app;
    this.banner = new Banner(hurry);
    this.#detail.element.hidden = true;
    const skip = h("a", { class: "skip", href: "#content" }, "Skip to the content");
    skip.addEventListener("click", (event) => this.#skip(event));
    const nav = h("nav", { "aria-label": "Screens" }, h("h1", { class: "brand" }, "Nagare"), this.#links);
    this.#panes.append(this.#nothing, this.#detail.element);
    const main = h("main", { id: "content" }, this.banner.element, this.#complaint, this.#panes, this.#said);
    document.body.replaceChildren(skip, nav, main);
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("popstate", () => void this.#route());
  }

  /**
   * There is a connection, the first one or another.
   *
   * @param {About[]} abouts
   */
  opened(abouts) {
    this.banner.hide();
    this.#abouts = abouts.filter(({ viewModel }) => viewModel !== "pager");
    this.#links.replaceChildren(...this.#abouts.map((about) => this.#link(about)));
    for (const [name, screen] of this.#screens) {
      if (screen.view.isOpen) screen.begin();
      else this.#drop(name, screen);
    }
    void this.#route();
  }

  lost() {
    for (const screen of this.#screens.values()) screen.lost();
  }

  /**
   * @param {Screen} screen
   * @param {any} item
   * @param {View | undefined} pager
   */
  open(screen, item, pager) {
    const id = identity(item);
    if (screen !== this.#shown) {
      void pager?.close().catch(() => {});
      return;
    }
    this.#forgetPager();
    const { hidden } = this.#detail.element;
    const address = hashOf(screen.view.screen, id);
    const state = { pushed: hidden || history.state?.pushed };
    if (location.hash !== address) history[hidden ? "pushState" : "replaceState"](state, "", address);
    this.#showDetail(true);
    if (pager) this.#detail.follow(/** @type {any} */ (pager), /** @type {any} */ (screen.view));
    else this.#detail.show(item);
    screen.follow(id, -1);
    if (hidden) this.#detail.focus();
  }

  /** @param {string} text */
  say(text) {
    setText(this.#said, text);
  }

  /** @param {string} message */
  complain(message) {
    const hide = () => void (this.#complaint.hidden = true);
    this.#complaint.replaceChildren(icon("warning"), h("p", {}, message), iconButton("close", "Dismiss", hide));
    this.#complaint.hidden = false;
  }

  leave() {
    const name = this.#before.at(-1);
    if (name !== undefined) location.hash = hashOf(name);
  }

  closeDetail() {
    if (this.#detail.element.hidden) return;
    this.#forgetPager();
    this.#showDetail(false);
    this.#shown?.follow(undefined, -1);
    const { screen, id } = parseHash(location.hash);
    if (id !== null) history.replaceState(null, "", hashOf(screen));
  }

  /** Shows what the address says. */
  async #route() {
    const { screen: named, id } = parseHash(location.hash);
    const about = this.#abouts.find(({ screen }) => screen === named) ?? this.#abouts[0];
    if (!about) return this.complain("The server has no screens: give it some in its configuration.");
    if (about.screen !== named) history.replaceState(null, "", hashOf(about.screen));
    const screen = await this.#screen(about);
    if (!screen) return;
    if (screen !== this.#shown) this.#show(screen);
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
      const view = await this.#app.open(about.screen);
      const Kind = SCREENS[about.viewModel] ?? UnknownScreen;
      const screen = this.#screens.get(about.screen) ?? new Kind(view, this, about);
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
    const old = this.#shown;
    this.#shown = screen;
    const name = screen.view.screen;
    if (old) this.#before = [...this.#before, old.view.screen].filter((before) => before !== name);
    for (const other of this.#screens.values()) other.element.hidden = other !== screen;
    for (const link of this.#links.querySelectorAll("a")) {
      if (link.dataset["screen"] === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${humane(name)} – Nagare`;
    const detailed = ["list", "search", "feed"].includes(screen.about.viewModel);
    this.#panes.classList.toggle("alone", !detailed);
    this.#nothing.hidden = !detailed;
    screen.appear();
    // The focus is left where somebody has put it while the page was loading.
    if (old || !hasFocus()) screen.focus();
  }

  /** @param {About} about */
  #link({ screen, viewModel }) {
    const picture = viewModel in ICONS ? /** @type {keyof typeof ICONS} */ (viewModel) : "other";
    const current = this.#shown?.view.screen === screen;
    const attributes = { href: hashOf(screen), "data-screen": screen, "aria-current": current && "page" };
    const link = h("a", attributes, icon(picture), h("span", {}, humane(screen)));
    link.addEventListener("click", () => this.#shown?.view.screen === screen && this.#focus());
    return h("li", {}, link);
  }

  /** @param {boolean} visible */
  #showDetail(visible) {
    this.#detail.element.hidden = !visible;
    this.#panes.classList.toggle("detailed", visible);
    this.#nothing.hidden = visible;
  }

  /**
   * @param {any} id
   * @param {number} index
   */
  #moved(id, index) {
    if (!this.#shown) return;
    history.replaceState(history.state, "", hashOf(this.#shown.view.screen, id));
    this.#shown.follow(id, index);
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

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key !== "Escape") return this.#unaimed(event);
    if (!this.#complaint.hidden) this.#complaint.hidden = true;
    else if (!this.#detail.element.hidden) this.#leaveDetail();
    else this.#shown?.escape();
  }

  /**
   * Gives a key to what is shown, when it is pressed where nothing has the focus.
   *
   * @param {KeyboardEvent} event
   */
  #unaimed(event) {
    const { key } = event;
    if (hasFocus() || event.altKey || event.ctrlKey || event.metaKey || key === "Tab" || key === "Shift") return;
    this.#focus();
    if (!hasFocus()) return;
    const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    if (!document.activeElement?.dispatchEvent(again)) event.preventDefault();
  }

  #focus() {
    if (this.#detail.element.hidden) this.#shown?.focus();
    else this.#detail.focus();
  }

  /** @param {Event} event */
  #skip(event) {
    event.preventDefault();
    this.#focus();
  }
}

function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
}
