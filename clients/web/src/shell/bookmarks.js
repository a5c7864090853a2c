import { parseHash } from "../net/address.js";

/** Milliseconds between two times that it is kept where the user is: a browser lets a page do so a hundred times in 30 s. */
const MIN_INTERVAL = 400;

/** @typedef {import("../screens/screen.js").Screen} Screen */

/** Keeps where the user is: in the address what others may be sent, and the rest in its entry of the browser's history. */
export class Bookmarks {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #changed = false;
  #shown;

  /** @param {() => Screen | null} shown the screen that the address is about */
  constructor(shown) {
    this.#shown = shown;
    addEventListener("pagehide", () => this.#save());
  }

  /** Has the address say where the user is: now, or soon if that has just been said. */
  remember() {
    this.#changed = true;
    if (this.#timer !== undefined) return;
    this.#save();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#changed) this.remember();
    }, MIN_INTERVAL);
  }

  #save() {
    this.#changed = false;
    const screen = this.#shown();
    const { screen: named, id } = parseHash(location.hash);
    if (named !== screen?.view.screen) return;
    history.replaceState({ ...history.state, ...screen.bookmark() }, "", screen.address(id));
  }
}
