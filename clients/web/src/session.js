import { App, parse } from "../../javascript/src/index.js";
import { backoff } from "./backoff.js";
import { screensOf } from "./discovery.js";
import { discovered, FIRST } from "./early.js";

/**
 * @typedef {import("./discovery.js").About} About
 * @typedef {import("../../javascript/src/types.js").View} View
 */

/**
 * What the page hears of its session.
 *
 * @typedef {object} Listener
 * @property {(screens: About[]) => void} opened there is a connection, to a server with these screens
 * @property {() => void} lost
 * @property {(milliseconds: number) => void} waits nobody answers; it is tried again after a while
 */

/** A session that connects again whenever its connection is gone. */
export class Session {
  app;
  #listener;
  /** @type {Promise<string | null> | null} what the first server was asked already, and answers */
  #discovered = discovered;
  #busy = false;
  /** @type {() => void} ends the waiting for the next try */
  #wake = () => {};

  /**
   * @param {import("../../javascript/src/types.js").Transport} transport
   * @param {import("../../javascript/src/types.js").Presenter} present
   * @param {Listener} listener
   */
  constructor(transport, present, listener) {
    this.#listener = listener;
    this.app = new App(transport, { client: { name: "nagare-web", version: "0.1.0" }, present });
    this.app.addEventListener("lost", () => {
      listener.lost();
      void this.connect();
    });
  }

  /** Connects, however often it has to be tried. */
  async connect() {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (const wait of backoff()) {
        if (await this.#try()) return;
        this.#listener.waits(wait);
        await this.#pause(wait);
      }
    } finally {
      this.#busy = false;
    }
  }

  /** Tries now what would be tried later. */
  hurry() {
    this.#wake();
  }

  async #try() {
    try {
      await this.app.reconnect();
      // A server that ends at once, such as one whose configuration is wrong, was never there.
      const said = await this.#discovered;
      this.#discovered = null;
      const known = said && this.app.state === "open" ? parse(said).result : null;
      const document = known ?? (await this.app.request(FIRST.method, FIRST.params));
      this.#listener.opened(screensOf(document));
      return true;
    } catch (error) {
      console.info(String(error));
      return false;
    }
  }

  /** @param {number} milliseconds */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}
