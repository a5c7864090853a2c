import { hashOf, parseHash } from "./address.js";

/** Milliseconds after which it is remembered where the user is: a browser counts how often. */
const REST = 200;

/** @typedef {import("./screens/screen.js").Screen} Screen */

/** Keeps where the user is: in the address what others may be sent, and the rest in its entry of the browser's history. */
export class Bookmarks {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;
  #shown;

  /** @param {() => Screen | null} shown the screen that the address is about */
  constructor(shown) {
    this.#shown = shown;
    addEventListener("pagehide", () => this.#keep());
  }

  /** Has the address say where the user is, soon. */
  remember() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#keep(), REST);
  }

  #keep() {
    clearTimeout(this.#resting);
    const screen = this.#shown();
    const { screen: named, id } = parseHash(location.hash);
    if (named !== screen?.view.screen) return;
    history.replaceState({ ...history.state, ...screen.bookmark() }, "", addressOf(screen, id));
  }
}

/**
 * @param {Screen} screen
 * @param {any} [id] of the item beside it
 */
export function addressOf(screen, id) {
  return hashOf(screen.view.screen, id, screen.bookmark());
}
