import { ListWindow } from "../../../javascript/src/index.js";
import { growsByPages } from "./items.js";

/** The way back in a long list to where the user was in another session: there where the item is by now, or else as far down. */
export class ScrollBack {
  #screen;
  /** Whether the item is asked for just now. */
  isAsking = false;
  #isOver = false;

  /** @param {import("../screens/screen.js").Screen & {rows: import("./rows.js").Rows}} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** The session has begun. */
  begin() {
    this.#isOver = false;
  }

  /** Whether it is still to be gone. To tell the view meanwhile that others are in sight would end it. */
  get isPending() {
    return !this.#isOver && this.#screen.rows.expected !== null && this.#screen.items instanceof ListWindow;
  }

  /** Goes it, as soon as there is a first page. */
  async run() {
    const screen = this.#screen;
    const { rows, view } = screen;
    const { expected } = rows;
    if (!expected || this.isAsking || !this.isPending) return;
    this.isAsking = true;
    if (expected.id !== null) await view.call("jump", { id: expected.id }).catch(() => {});
    this.isAsking = false;
    this.#isOver = true;
    if (rows.expected !== expected) return;
    // Where no place can be gone to, the list is grown to it.
    if (expected.index >= screen.items.length && growsByPages(screen.items)) {
      const view = await screen.page.openView(screen, {});
      screen.replaceView(view);
      await screen.start();
    } else rows.reportVisibleAgain();
  }
}
