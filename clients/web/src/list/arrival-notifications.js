import { stringify } from "../../../javascript/src/index.js";
import { addressOf } from "../shell/bookmarks.js";
import { amountOf } from "../text/format.js";
import { describe, humane, nounOf, titleOf } from "../text/item-display.js";
import { iconButton } from "../ui/dom.js";
import { NOTHING, partOf } from "./items.js";
import { placesIn } from "./row-moves.js";

/** Whether somebody wants to be told, as the browser keeps it. */
const KEY = "nagare.news";
/** Milliseconds between two notifications, the second of which takes the first one's place. */
const REST = 1000;
/** Items that a notification names. */
const MOST = 4;

/** @typedef {import("./items.js").Listed} Listed */

/** @type {Set<News>} */
const all = new Set();

/** Tells by the system's notifications what has come into a list while nobody looks at the page, if somebody wants that. */
export class News {
  #screen;
  #bell = iconButton("bell", "Notify me", () => void this.#ask());
  /** @type {Listed} what was listed last */
  #items = NOTHING;
  #looked = "";
  /** How many the server holds back. */
  #held = 0;
  /** How many have come since somebody has looked. */
  #count = 0;
  /** @type {any[]} the newest of them */
  #newest = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;
  /** @type {Notification | undefined} the one that stands, where no worker has it */
  #shown;

  /** @param {import("../screens/list.js").ListScreen} screen */
  constructor(screen) {
    this.#screen = screen;
    if (!("Notification" in globalThis)) return;
    all.add(this);
    // Of most lists nobody knows that they live before something has come.
    if (isWanted()) this.#offer();
  }

  get name() {
    return this.#screen.view.screen;
  }

  /**
   * The list may have changed.
   *
   * @param {boolean} isEarlier whether what is above the others now is the page before, and nothing new
   */
  look(isEarlier) {
    const { items, looked, view, about } = this.#screen;
    const before = this.#looked === stringify(looked) && !isEarlier ? this.#items : NOTHING;
    const held = view.current["arrivals"]?.count ?? 0;
    const came = before === items || (isSeen() && this.#bell.isConnected) ? { count: 0, newest: [] } : arrivals(before, items, about.display);
    const count = came.count + Math.max(0, held - this.#held);
    this.#held = held;
    this.#looked = stringify(looked);
    // With another session they come once more.
    if (items.length > 0) this.#items = items;
    if (count === 0) return;
    this.#offer();
    if (isSeen() || !isWanted()) return;
    this.#count += count;
    this.#newest = [...came.newest, ...this.#newest].slice(0, MOST);
    this.#tellSoon();
  }

  /** @returns {import("../dialogs/popup-menu.js").Command[]} */
  commands() {
    if (!all.has(this)) return [];
    return [{ name: isWanted() ? "Notify no more" : "Notify of arrivals", group: "Notifications", act: () => void this.#ask() }];
  }

  /** Shows what has come. */
  async show() {
    const address = addressOf(this.#screen);
    if (location.hash !== address) {
      const there = new Promise((resolve) => addEventListener("popstate", () => setTimeout(resolve), { once: true }));
      location.hash = address;
      await there;
    }
    this.#screen.goUp();
  }

  /** Somebody looks at the page. */
  async seen() {
    this.#count = 0;
    this.#newest = [];
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#shown?.close();
    const worker = await registered();
    const shown = (await worker?.getNotifications({ tag: this.name })) ?? [];
    // Who has looked away again meanwhile hasn't seen the newest.
    if (isSeen()) for (const one of shown) one.close();
  }

  draw() {
    this.#bell.setAttribute("aria-pressed", String(isWanted()));
  }

  /** Has it asked for. */
  #offer() {
    if (!this.#bell.isConnected) this.#screen.bar.lastElementChild?.before(this.#bell);
    this.draw();
  }

  /** Changes whether somebody wants to be told. Browsers ask only somebody who has pressed something. */
  async #ask() {
    const wanted = !isWanted();
    const allowed = wanted ? await Notification.requestPermission() : "granted";
    if (allowed === "denied") this.#screen.page.complain("The browser doesn't let this page notify you. Its settings for this address can.");
    if (allowed !== "granted") return;
    try {
      localStorage.setItem(KEY, String(wanted));
    } catch {
      this.#screen.page.complain("The browser keeps no settings for this page.");
    }
    this.#offer();
    for (const news of all) news.draw();
    this.#screen.page.offer(wanted ? "You are told what comes while you don't look." : "You aren't told what comes.");
  }

  /** At once, or soon if something was told just now. */
  #tellSoon() {
    if (this.#resting !== undefined) return;
    const told = this.#count;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (this.#count > told) this.#tellSoon();
    }, REST);
    void this.#tell();
  }

  async #tell() {
    const { about, items } = this.#screen;
    const [newest] = this.#newest;
    const only = this.#count === 1 && newest !== undefined ? describe(newest, about.display) : null;
    const title = only ? only.person || only.title : `${amountOf(this.#count)} new ${nounOf(newest ?? items.at(0), this.#count, about.display)}`;
    const titles = only ? (only.person ? [only.title] : []) : this.#newest.map((item) => titleOf(item, about.display));
    const body = titles.join("\n") || humane(this.name);
    const address = new URL(addressOf(this.#screen), location.href).href;
    const options = { body, tag: this.name, icon: new URL("style/icon.svg", location.href).href, data: { address, screen: this.name } };
    const worker = await registered();
    if (worker) return worker.showNotification(title, options);
    this.#shown = new Notification(title, options);
    this.#shown.addEventListener("click", () => {
      focus();
      void this.show();
    });
  }
}

/** Whether somebody wants to be told, and the browser lets the page do so. */
function isWanted() {
  try {
    return Notification.permission === "granted" && localStorage.getItem(KEY) === "true";
  } catch {
    return false;
  }
}

/** Whether somebody looks at the page, as far as it can know. */
function isSeen() {
  return !document.hidden && document.hasFocus();
}

/** What has notifications that outlive the page, if there is such a one. */
async function registered() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.active ? worker : undefined;
}

/**
 * What has come into a list above what was there: how many, and the first of them, as far as they are here.
 *
 * @param {Listed} before
 * @param {Listed} after
 * @param {import("../text/item-display.js").Display} said
 */
function arrivals(before, after, said) {
  const { rows, start } = partOf(after);
  const was = placesIn(after, before, said);
  const isOld = (/** @type {number} */ place) => rows[place] !== null && was(start + place) !== null;
  let end = rows.length - 1;
  while (end >= 0 && !isOld(end)) end -= 1;
  // Of another list altogether nothing has come, and nothing into one that has just begun.
  const newest = before.length === 0 ? [] : rows.slice(0, Math.max(0, end)).filter((item, place) => item !== null && !isOld(place));
  const above = start > 0 && before.length > 0 ? Math.max(0, start - (was(start) ?? start)) : 0;
  return { count: newest.length + above, newest };
}

for (const event of ["focus", "visibilitychange"]) {
  addEventListener(event, () => {
    if (isSeen()) for (const news of all) void news.seen();
  });
}
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  for (const news of all) if (news.name === data?.arrivals) void news.show();
});
