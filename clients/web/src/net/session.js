import { App, parse } from "../../../javascript/src/index.js";
import { backoff } from "./backoff.js";
import { readScreens } from "./discovery.js";

/**
 * @typedef {import("./discovery.js").ScreenInfo} ScreenInfo
 * @typedef {import("../../../javascript/src/types.js").View} View
 */

/**
 * What a session reports.
 *
 * @typedef {object} Listener
 * @property {(screens: ScreenInfo[]) => void} opened it is connected to a server with these screens
 * @property {() => void} lost
 * @property {(milliseconds: number) => void} retriesIn connecting failed and is tried again after this time
 */

/** A session that reconnects when its connection is lost. */
export class Session {
  app;
  #listener;
  #first;
  /** @type {Promise<string | null> | null} the answer to the first request, until it is used */
  #answer;
  #connecting = false;
  /** @type {() => void} ends the waiting for the next attempt */
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

  /** Connects, and tries until it succeeds. */
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

  /** Makes the next attempt now. */
  retryNow() {
    this.#wake();
  }

  async #try() {
    try {
      await this.app.reconnect();
      // A server that ends at once, for example because its configuration is wrong, counts as a failed attempt.
      const answer = await this.#answer;
      this.#answer = null;
      const known = answer && this.app.state === "open" ? parse(answer).result : null;
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
