import { App, parse } from "../../../javascript/src/index.js";
import { backoff } from "./backoff.js";
import { readScreens } from "./discovery.js";

/**
 * @typedef {import("./discovery.js").ScreenInfo} ScreenInfo
 * @typedef {import("../../../javascript/src/types.js").View} View
 */

/**
 * What the page hears of its session.
 *
 * @typedef {object} Listener
 * @property {(screens: ScreenInfo[]) => void} opened there is a connection, to a server with these screens
 * @property {() => void} lost
 * @property {(milliseconds: number) => void} retriesIn nobody answers; it is tried again after a while
 */

/** A session that connects again whenever its connection is gone. */
export class Session {
  app;
  #listener;
  #first;
  /** @type {Promise<string | null> | null} the answer to the first request, until it is used */
  #answer;
  #connecting = false;
  /** @type {() => void} ends the waiting for the next try */
  #wake = () => {};

  /**
   * @param {import("../../../javascript/src/types.js").Transport} transport
   * @param {import("../../../javascript/src/types.js").Presenter} present
   * @param {typeof import("../preconnect.js").first} first the request that was sent while the page loaded
   * @param {Listener} listener
   */
  constructor(transport, present, first, listener) {
    this.#first = first;
    this.#answer = first.answer;
    this.#listener = listener;
    this.app = new App(transport, { client: { name: "nagare-web", version: "0.1.0" }, present });
    this.app.addEventListener("lost", () => {
      listener.lost();
      void this.connect();
    });
  }

  /** Connects, however often it has to be tried. */
  async connect() {
    if (this.#connecting) return;
    this.#connecting = true;
    try {
      for (const wait of backoff()) {
        if (await this.#try()) return;
        this.#listener.retriesIn(wait);
        await this.#wait(wait);
      }
    } finally {
      this.#connecting = false;
    }
  }

  /** Tries now what would be tried later. */
  retryNow() {
    this.#wake();
  }

  async #try() {
    try {
      await this.app.reconnect();
      // A server that ends at once, such as one whose configuration is wrong, was never there.
      const said = await this.#answer;
      this.#answer = null;
      const known = said && this.app.state === "open" ? parse(said).result : null;
      const document = known ?? (await this.app.request(this.#first.method, this.#first.params));
      this.#listener.opened(readScreens(document));
      return true;
    } catch (error) {
      console.info(String(error));
      return false;
    }
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}
