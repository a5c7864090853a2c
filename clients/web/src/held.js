import { ConnectionClosedError, NagareError, sameId } from "../../javascript/src/index.js";
import { describe, identity } from "./words.js";

/** Milliseconds in which what was archived can be had back. */
const GRACE = 5000;

/**
 * Items that are on their way out of a list. They aren't shown any more; the newest can be had back for a while, and
 * only then is the list told to remove it.
 */
export class Leaving {
  #view;
  #page;
  #changed;
  /** @type {Set<any>} items that aren't shown */
  #items = new Set();
  /** @type {any} the one that can be had back */
  #newest;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("../../javascript/src/types.js").View} view
   * @param {import("./screens/screen.js").Page} page
   * @param {() => void} changed other items are shown than before
   */
  constructor(view, page, changed) {
    this.#view = view;
    this.#page = page;
    this.#changed = changed;
    addEventListener("pagehide", () => this.finish());
  }

  /**
   * What is left of a list.
   *
   * @param {readonly any[]} items
   */
  without(items) {
    if (this.#items.size === 0) return items;
    const ids = [...this.#items].map(identity);
    return items.filter((item) => !ids.some((id) => sameId(id, identity(item))));
  }

  /** @param {any} item */
  take(item) {
    this.finish();
    this.#items.add(item);
    this.#newest = item;
    this.#timer = setTimeout(() => this.finish(), GRACE);
    this.#page.offer(`Archived “${describe(item).title}”`, "Undo", () => this.undo());
    this.#changed();
  }

  /** @returns {boolean} whether there was something to have back */
  undo() {
    const item = this.#newest;
    if (item === undefined) return false;
    this.#settle();
    this.#show(item);
    return true;
  }

  /** Has the newest removed now. */
  finish() {
    const item = this.#newest;
    if (item === undefined) return;
    this.#settle();
    void this.#remove(item);
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#newest = undefined;
    this.#page.offer(null);
  }

  /** @param {any} item */
  async #remove(item) {
    try {
      const outcome = await this.#view.call("remove", { id: identity(item) });
      if (outcome === "failed") this.#page.complain(`“${describe(item).title}” is back: ${this.#view["error"]?.message}`);
    } catch (error) {
      // What is gone already needs no removal, and without a connection the page says so by itself.
      if (error instanceof ConnectionClosedError) this.#page.remind();
      else if (!(error instanceof NagareError)) throw error;
    }
    this.#show(item);
  }

  /**
   * Shows it again, where the list still has it.
   *
   * @param {any} item
   */
  #show(item) {
    this.#items.delete(item);
    this.#changed();
  }
}
