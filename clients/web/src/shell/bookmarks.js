import { parseHash } from "../net/address.js";

/** The least time between two saves, in milliseconds. Browsers allow a hundred in 30 s. */
const MIN_INTERVAL = 400;

/** @typedef {import("../screens/screen.js").Screen} Screen */

/** Saves the user's position: what can be shared in the URL, the rest in the entry of the browser's history. */
export class Bookmarks {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #changed = false;
  #shown;

  /** @param {() => Screen | null} shown returns the screen that the URL is for */
  constructor(shown) {
    this.#shown = shown;
    addEventListener("pagehide", () => this.#save());
  }

  /** Saves the position now, or at the end of the least time since the last save. */
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
