import { stringify } from "../../../javascript/src/index.js";
import { formatAmount } from "../text/format.js";
import { describe, nounOf, titleOf } from "../text/item-display.js";
import { humanize } from "../text/value.js";
import { iconButton } from "../ui/dom.js";
import { readSetting, saveSetting } from "../ui/settings.js";
import { heldRows, indexOfItem, NO_ITEMS } from "./items.js";
import { indexMap } from "./row-moves.js";

/** The least time between two notifications, in milliseconds. The second replaces the first. */
const MIN_INTERVAL = 1000;
/** Items that a notification names. */
const MAX_TITLES = 4;

/** @typedef {import("./items.js").ListItems} Listed */

/** @type {Set<ArrivalNotifications>} */
const all = new Set();

/** Notifies of new items in a list while nobody looks at the page, if the user has enabled it. */
export class ArrivalNotifications {
  #screen;
  #bell = iconButton("bell", "Notify me", () => void this.#toggle());
  /** @type {Listed} the items at the last update */
  #items = NO_ITEMS;
  #criteria = "";
  /** New items that the server defers. */
  #held = 0;
  /** @type {any} the edit that could be undone at the last update, or null */
  #undoable = null;
  /** New items since the user last looked at the page. */
  #count = 0;
  /** @type {any[]} the newest of them */
  #newest = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;
  /** @type {Notification | undefined} the shown notification, if no service worker shows it */
  #shown;

  /** @param {import("../screens/list.js").ListScreen} screen */
  constructor(screen) {
    this.#screen = screen;
    if (!("Notification" in globalThis)) return;
    all.add(this);
    // Whether a list gets new items is known only after the first one. Then the bell is shown.
    if (isEnabled()) this.#showBell();
  }

  get name() {
    return this.#screen.view.screen;
  }

  /**
   * Looks for new items after the list has changed.
   *
   * @param {boolean} isEarlier whether the items above the others are the previous page, not new
   */
  update(isEarlier) {
    const { items, criteria, view, info } = this.#screen;
    // Items that come back because their removal was undone aren't new.
    const isUndone = this.#undoable?.all || [this.#undoable?.ids ?? []].flat().some((/** @type {any} */ id) => indexOfItem(items, id, info.display) >= 0);
    this.#undoable = view.current["undoable"];
    const before = this.#criteria === stringify(criteria) && !isEarlier && !isUndone ? this.#items : NO_ITEMS;
    const held = view.current["arrivals"]?.count ?? 0;
    const came = before === items || (isPageSeen() && this.#bell.isConnected) ? { count: 0, newest: [] } : arrivalsBetween(before, items, info.display);
    const count = came.count + Math.max(0, held - this.#held);
    this.#held = held;
    this.#criteria = stringify(criteria);
    // A new session loads the same items again.
    if (items.length > 0) this.#items = items;
    if (count === 0) return;
    this.#showBell();
    if (isPageSeen() || !isEnabled()) return;
    this.#count += count;
    this.#newest = [...came.newest, ...this.#newest].slice(0, MAX_TITLES);
    this.#notifySoon();
  }

  /** @returns {import("../dialogs/popup-menu.js").Command[]} */
  commands() {
    if (!all.has(this)) return [];
    return [{ name: `Turn ${isEnabled() ? "off" : "on"} notifications`, act: () => void this.#toggle() }];
  }

  /** Goes to the new items. */
  async show() {
    const address = this.#screen.address();
    if (location.hash !== address) {
      const there = new Promise((resolve) => addEventListener("popstate", () => setTimeout(resolve), { once: true }));
      location.hash = address;
      await there;
    }
    this.#screen.goToArrivals();
  }

  /** Forgets the new items, because the user looks at the page. */
  async clear() {
    this.#count = 0;
    this.#newest = [];
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#shown?.close();
    const worker = await serviceWorker();
    const shown = (await worker?.getNotifications({ tag: this.name })) ?? [];
    // If the user has looked away again, the newest items were not seen.
    if (isPageSeen()) for (const one of shown) one.close();
  }

  draw() {
    this.#bell.setAttribute("aria-pressed", String(isEnabled()));
  }

  /** Shows the bell in the screen's bar. */
  #showBell() {
    if (!this.#bell.isConnected) this.#screen.bar.lastElementChild?.before(this.#bell);
    this.draw();
  }

  /** Enables or disables notifications. Browsers ask for the permission only after the user has pressed something. */
  async #toggle() {
    const wanted = !isEnabled();
    const allowed = wanted ? await Notification.requestPermission() : "granted";
    if (allowed === "denied") this.#screen.page.showError("The browser blocks notifications. Allow them in its settings for this address.");
    if (allowed !== "granted") return;
    if (!saveSetting("news", String(wanted))) this.#screen.page.showError("The browser can’t save this setting.");
    this.#showBell();
    for (const news of all) news.draw();
    this.#screen.page.showToast(`Notifications turned ${wanted ? "on" : "off"}`);
  }

  /** Notifies now, or at the end of the least time since the last notification. */
  #notifySoon() {
    if (this.#resting !== undefined) return;
    const notified = this.#count;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (this.#count > notified) this.#notifySoon();
    }, MIN_INTERVAL);
    void this.#notify();
  }

  async #notify() {
    const { info, items } = this.#screen;
    const [newest] = this.#newest;
    const only = this.#count === 1 && newest !== undefined ? describe(newest, info.display) : null;
    const title = only ? only.person || only.title : `${formatAmount(this.#count)} new ${nounOf(newest ?? items.at(0), this.#count, info.display)}`;
    const titles = only ? (only.person ? [only.title] : []) : this.#newest.map((item) => titleOf(item, info.display));
    const body = titles.join("\n") || humanize(this.name);
    const address = new URL(this.#screen.address(), location.href).href;
    const options = { body, tag: this.name, icon: new URL("style/icon.svg", location.href).href, data: { address, screen: this.name } };
    const worker = await serviceWorker();
    if (worker) return worker.showNotification(title, options);
    this.#shown = new Notification(title, options);
    this.#shown.addEventListener("click", () => {
      focus();
      void this.show();
    });
  }
}

/** Whether the user has enabled notifications and the browser allows them. */
function isEnabled() {
  return Notification.permission === "granted" && readSetting("news") === "true";
}

/** Whether the user looks at the page, as far as the browser knows. */
function isPageSeen() {
  return !document.hidden && document.hasFocus();
}

/** Returns the registration of the service worker, whose notifications outlive the page. */
async function serviceWorker() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.active ? worker : undefined;
}

/**
 * Returns the new items above the old ones: their number, and those of them that are loaded.
 *
 * @param {Listed} before
 * @param {Listed} after
 * @param {import("../text/item-display.js").Display} display
 */
function arrivalsBetween(before, after, display) {
  const { rows, start } = heldRows(after);
  const was = indexMap(after, before, display);
  const isOld = (/** @type {number} */ place) => rows[place] !== null && was(start + place) !== null;
  let end = rows.length - 1;
  while (end >= 0 && !isOld(end)) end -= 1;
  // If the lists have nothing in common, or the list was empty, no item counts as new.
  const newest = before.length === 0 ? [] : rows.slice(0, Math.max(0, end)).filter((item, place) => item !== null && !isOld(place));
  const above = start > 0 && before.length > 0 ? Math.max(0, start - (was(start) ?? start)) : 0;
  return { count: newest.length + above, newest };
}

for (const event of ["focus", "visibilitychange"]) {
  addEventListener(event, () => {
    if (isPageSeen()) for (const news of all) void news.clear();
  });
}
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  for (const news of all) if (news.name === data?.arrivals) void news.show();
});
