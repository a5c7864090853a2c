import { control, ViewBase } from "./view.js";
import { viewClass } from "./view-class.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {{view: string, screen: string, outputs: Record<string, any>}} Opened
 */

/** The views of a session: those that are open, and those that wait for a connection. */
export class Views {
  /**
   * The open views, by their names on the wire.
   *
   * @type {Map<string, View>}
   */
  open = new Map();
  /**
   * Views that were open when the connection was lost.
   *
   * @type {View[]}
   */
  #disconnected = [];
  /**
   * The params with which views were opened. A view that was opened by another one can't be reopened.
   *
   * @type {WeakMap<View, object>}
   */
  #params = new WeakMap();
  /** @type {Map<string, {viewModel: string, outputs: string[], Class: typeof ViewBase}>} */
  #screens = new Map();
  /** @type {import("./view.js").Host} */
  #host;

  /** @param {import("./view.js").Host} host */
  constructor(host) {
    this.#host = host;
  }

  /** @param {import("./types.js").Screen[]} screens */
  setScreens(screens) {
    for (const screen of screens) {
      // A list with a viewport can be opened with a window. Then it has these inputs and outputs as well.
      const isSeen = screen.inputs.includes("viewport");
      const inputs = isSeen ? [...screen.inputs, "jump"] : screen.inputs;
      const outputs = isSeen ? [...screen.outputs, "scrollTo"] : screen.outputs;
      this.#screens.set(screen.screen, { viewModel: screen.viewModel, outputs, Class: viewClass({ inputs, outputs }) });
    }
  }

  /**
   * Returns the names of the outputs of a screen's views, with events; undefined if they aren't known yet.
   *
   * @param {string} screen
   */
  outputs(screen) {
    return this.#screens.get(screen)?.outputs;
  }

  /**
   * @param {Opened} opened
   * @param {object} [params] with which it can be reopened
   */
  adopt(opened, params) {
    const { viewModel = "", Class = ViewBase } = this.#screens.get(opened.screen) ?? {};
    const view = /** @type {View} */ (/** @type {unknown} */ (new Class(this.#host, { ...opened, viewModel })));
    if (params) this.#params.set(view, params);
    this.open.set(opened.view, view);
    return view;
  }

  /**
   * Applies an output.
   *
   * @param {string} output
   * @param {any} params
   * @returns {View | undefined} the view that it opened
   */
  receive(output, params) {
    const view = this.open.get(params.view);
    if (!view) return undefined;
    if (output === "closed") {
      this.end(params.view);
      return undefined;
    }
    const opens = output === "navigate" && typeof params.value?.view === "string";
    const opened = opens ? this.adopt(params.value) : undefined;
    control.receive(view, output, opened ? { value: opened } : params);
    return opened;
  }

  /** @param {string} name */
  end(name) {
    const view = this.open.get(name);
    this.open.delete(name);
    if (view) control.end(view);
  }

  /** Ends all views, because the session has ended. */
  endAll() {
    for (const name of [...this.open.keys()]) this.end(name);
    for (const view of this.#disconnected.splice(0)) control.end(view);
  }

  /**
   * Keeps the open views for the next connection.
   *
   * @param {Error} error
   */
  connectionLost(error) {
    const views = [...this.open.values()];
    this.#disconnected.push(...views);
    this.open.clear();
    for (const view of views) control.connectionLost(view, error);
  }

  /**
   * Prevents that a view is reopened.
   *
   * @param {import("./view.js").ViewBase<any>} view
   */
  abandon(view) {
    const index = this.#disconnected.findIndex((stranded) => stranded === view);
    if (index < 0) return;
    this.#disconnected.splice(index, 1);
    control.end(view);
  }

  /**
   * Reopens the views that were open when the connection was lost.
   *
   * @param {(view: View, params: object, opened: (result: {outputs: any}) => void) => Promise<unknown>} open
   * @param {() => boolean} connected
   * @returns {Promise<View[]>} the reopened views
   */
  async reopen(open, connected) {
    const stranded = this.#disconnected.splice(0);
    for (const view of stranded) if (!this.#params.has(view)) control.end(view);
    const again = stranded.filter((view) => this.#params.has(view));
    await Promise.allSettled(
      again.map((view) =>
        open(view, /** @type {object} */ (this.#params.get(view)), ({ outputs }) => {
          this.open.set(view.view, view);
          control.synchronize(view, outputs);
        }),
      ),
    );
    const left = again.filter((view) => !view.isOpen);
    // If the connection was lost again, they wait for the next attempt.
    if (!connected()) this.#disconnected.push(...left.filter((view) => !this.#disconnected.includes(view)));
    else for (const view of left) control.end(view);
    return again.filter((view) => view.isOpen);
  }
}
