import { ListWindow } from "../../../javascript/src/index.js";
import { growsByPages } from "./items.js";

/** Scrolls back to the user's position in the lost session: to the item wherever it is now, or else to the same index. */
export class ScrollBack {
  #screen;
  /** Whether the item is being requested. */
  isAsking = false;
  #isOver = false;

  /** @param {import("../screens/screen.js").Screen & {rows: import("./rows.js").Rows}} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** Starts again for a new session. */
  begin() {
    this.#isOver = false;
  }

  /** Whether scrolling back hasn't finished. Until then, other visible rows must not be reported, because a report would end it. */
  get isPending() {
    return !this.#isOver && this.#screen.rows.expected !== null && this.#screen.items instanceof ListWindow;
  }

  /** Scrolls back when the first page is loaded. */
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
    // A source without positions: the list grows until it reaches the index.
    if (expected.index >= screen.items.length && growsByPages(screen.items)) {
      const view = await screen.page.openView(screen, {});
      screen.replaceView(view);
      await screen.start();
    } else rows.reportVisibleAgain();
  }
}
