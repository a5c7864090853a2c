import { ListWindow } from "../../../javascript/src/index.js";
import { grows } from "./items.js";

/** The way back in a long list to where the user was in another session: there where the item is by now, or else as far down. */
export class WayBack {
  #screen;
  /** Whether the item is asked for just now. */
  asks = false;
  #over = false;

  /** @param {import("../screens/screen.js").Screen & {rows: import("./rows.js").Rows}} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** The session has begun. */
  begin() {
    this.#over = false;
  }

  /** Whether it is still to be gone. To tell the view meanwhile that others are in sight would end it. */
  get ahead() {
    return !this.#over && this.#screen.rows.expected !== null && this.#screen.items instanceof ListWindow;
  }

  /** Goes it, as soon as there is a first page. */
  async go() {
    const screen = this.#screen;
    const { rows, view } = screen;
    const { expected } = rows;
    if (!expected || this.asks || !this.ahead) return;
    this.asks = true;
    if (expected.id !== null) await view.call("jump", { id: expected.id }).catch(() => {});
    this.asks = false;
    this.#over = true;
    if (rows.expected !== expected) return;
    // Where no place can be gone to, the list is grown to it.
    if (expected.index >= screen.items.length && grows(screen.items)) {
      const view = await screen.page.view(screen, {});
      screen.adopt(view);
      await screen.begin();
    } else rows.tellSight();
  }
}
