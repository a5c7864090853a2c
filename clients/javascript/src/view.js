import { Channel } from "./channel.js";
import { NoSuchViewError } from "./errors.js";
import { asyncDispose } from "./dispose.js";
import { Rows } from "./rows.js";

/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").AnyModel} AnyModel
 * @typedef {import("./types.js").View} View
 */

/**
 * What a view needs of its session.
 *
 * @typedef {object} Host
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<View | undefined>} input
 * @property {(view: ViewBase<any>) => Promise<void>} outputs asks for all that is current
 * @property {(view: ViewBase<any>, options?: Options) => Promise<void>} close
 * @property {Error | null} closed why there is no connection
 *
 * What a session does to its views.
 *
 * @typedef {object} Control
 * @property {(view: ViewBase<any>, output: string, said: any) => void} hear an output was said
 * @property {(view: ViewBase<any>, outputs: Record<string, any>) => void} synchronize this is current, in a view that is open
 * @property {(view: ViewBase<any>) => void} presents a task is presented: what went wrong with the one before is over
 * @property {(view: ViewBase<any>, error: unknown) => void} lose the connection is gone; subscriptions stay, for it may come back
 * @property {(view: ViewBase<any>) => void} end the view is gone
 */

/**
 * The session's hand on its views, which nobody else has.
 *
 * @type {Control}
 */
export let control;

/**
 * An opened screen. The outputs of its screen are properties besides, and the inputs are methods, as far as their names
 * aren't taken here; `current` and `call` know them all.
 *
 * @template {Model} [M=AnyModel]
 */
export class ViewBase {
  /** @type {Host} */
  #host;
  /** @type {Record<string, any>} */
  #values = {};
  /** @type {Readonly<Record<string, any>> | null} */
  #current = null;
  /** @type {Map<string, Set<(value: any) => void>>} */
  #callbacks = new Map();
  /** @type {Set<(end: {error?: unknown}) => void>} */
  #endings = new Set();
  /** @type {Map<string, import("./types.js").Store<any>>} */
  #stores = new Map();
  #open = true;
  #failedSinceState = false;
  #syncing = false;

  /**
   * For the session alone: `app.open` makes views.
   *
   * @param {Host} host
   * @param {{view: string, screen: string, viewModel: string, outputs: Record<string, any>}} opened
   */
  constructor(host, { view, screen, viewModel, outputs }) {
    this.#host = host;
    /** The view's name on the wire. */
    this.view = view;
    /** The name of its screen. */
    this.screen = screen;
    /** The kind of the screen: `list`, `pager` and so on. */
    this.viewModel = viewModel;
    this.#take(outputs);
  }

  /** Whether it is open on the server. A view whose connection was lost is open again after `app.reconnect()`. */
  get isOpen() {
    return this.#open;
  }

  /**
   * All outputs that have a value, by name. The object and the arrays in it never change: the next change makes new ones.
   *
   * @returns {Readonly<M["values"]>}
   */
  get current() {
    if (!this.#current) {
      const values = Object.entries(this.#values).map(([name, value]) => [name, value instanceof Rows ? value.array : value]);
      this.#current = Object.freeze(Object.fromEntries(values));
    }
    return /** @type {any} */ (this.#current);
  }

  /**
   * The value of an output, as it is now.
   *
   * @template {keyof M["values"] & string} Name
   * @param {Name} output
   * @returns {M["values"][Name]}
   */
  value(output) {
    const value = this.#values[output];
    return value instanceof Rows ? value.array : value;
  }

  /**
   * Tells the view something. What it causes at once has been said when the promise resolves.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   * @param {Options} [options]
   * @returns {Promise<View | undefined>} the view that this opened, such as a list's detail by `select`
   */
  call(input, params, options) {
    if (!this.#open) return Promise.reject(this.#closedError());
    // A feed's failure stands until its next load begins, which nothing else tells.
    if (this.viewModel === "feed" && input === "refresh") this.#set("error", null);
    return this.#host.input(this, input, params, options);
  }

  /**
   * Calls back with every value that an output says from now on, and with `closed` when the view has ended.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => void} callback
   * @param {Options} options
   * @returns {() => void} ends that; so does the signal
   */
  subscribe(output, callback, { signal } = {}) {
    if (signal?.aborted) return () => {};
    // A function of its own, so that the same callback may come twice.
    const own = (/** @type {any} */ value) => callback(value);
    const callbacks = this.#callbacks.get(output) ?? new Set();
    this.#callbacks.set(output, callbacks.add(own));
    const unsubscribe = () => {
      callbacks.delete(own);
      signal?.removeEventListener("abort", unsubscribe);
    };
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  /**
   * An output's values, for `for await`: the current one, if it has one, and each that is said from now on. Ends with the
   * view; a lost connection throws.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {import("./types.js").ValuesOptions} options
   * @returns {AsyncIterableIterator<(M["values"] & M["events"])[Name]>}
   */
  values(output, { signal, every = false } = {}) {
    const lasting = output in this.#values;
    const abort = () => channel.end({ error: signal?.reason });
    const ending = (/** @type {{error?: unknown}} */ end) => channel.end(end);
    const released = () => {
      unsubscribe();
      this.#endings.delete(ending);
      signal?.removeEventListener("abort", abort);
    };
    const channel = new Channel({ latest: lasting && !every, released });
    const unsubscribe = this.subscribe(output, (value) => channel.push(value));
    signal?.addEventListener("abort", abort, { once: true });
    this.#endings.add(ending);
    if (lasting) channel.push(/** @type {any} */ (this).value(output));
    if (signal?.aborted) abort();
    else if (!this.#open) channel.end();
    return channel;
  }

  /**
   * Waits for a value: the current one if that will do, else the first that does.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => unknown} [fits] says whether a value will do; any does where nothing is said
   * @param {Options} [options]
   * @returns {Promise<(M["values"] & M["events"])[Name]>} rejected when the view ends first
   */
  async until(output, fits = () => true, options = {}) {
    for await (const value of this.values(output, { ...options, every: true })) if (fits(value)) return value;
    throw this.#closedError();
  }

  /**
   * An output as something to watch, or all of them together: the same store each time.
   *
   * @template {keyof M["values"] & string} Name
   * @overload
   * @param {Name} output
   * @returns {import("./types.js").Store<M["values"][Name]>}
   */
  /**
   * @overload
   * @returns {import("./types.js").Store<Readonly<M["values"]>>}
   */
  /**
   * @param {string} [output]
   * @returns {any}
   */
  store(output = EVERYTHING) {
    const known = this.#stores.get(output);
    if (known) return known;
    const self = /** @type {ViewBase<AnyModel>} */ (/** @type {unknown} */ (this));
    const getSnapshot = output === EVERYTHING ? () => self.current : () => self.value(output);
    const store = {
      getSnapshot,
      /** @param {(value: any) => void} callback */
      subscribe(callback) {
        const unsubscribe = self.subscribe(output, () => callback(getSnapshot()));
        callback(getSnapshot());
        return unsubscribe;
      },
    };
    this.#stores.set(output, store);
    return store;
  }

  /**
   * Ends the view, and the views that it opened. Ending one that has ended does nothing.
   *
   * @param {Options} [options]
   * @returns {Promise<void>}
   */
  async close(options) {
    if (this.#open) await this.#host.close(this, options);
  }

  [asyncDispose]() {
    return this.close();
  }

  static {
    control = {
      hear: (view, output, said) => view.#hear(output, said),
      synchronize: (view, outputs) => view.#synchronized(outputs),
      presents: (view) => view.#set("error", null),
      lose: (view, error) => {
        view.#open = false;
        view.#finish({ error });
      },
      end: (view) => {
        view.#open = false;
        view.#announce("closed", null);
        view.#finish({});
      },
    };
  }

  /**
   * @param {string} output
   * @param {any} said
   */
  #hear(output, said) {
    if (output === "state") this.#loadTold();
    if (output === "error") this.#failedSinceState = true;
    if (output === "loading" && said.value === true) this.#set("error", null);
    if (!("splices" in said)) return this.#set(output, "revision" in said ? new Rows(said.value, said.revision) : said.value);
    const rows = this.#values[output];
    if (rows instanceof Rows && rows.apply(said)) this.#announce(output);
    else this.#synchronize();
  }

  /** @param {Record<string, any>} outputs */
  #synchronized(outputs) {
    this.#open = true;
    this.#take(outputs);
    for (const output of Object.keys(outputs)) this.#announce(output);
  }

  /** @param {{error?: unknown}} end */
  #finish(end) {
    for (const ending of [...this.#endings]) ending(end);
  }

  /** @param {Record<string, any>} outputs */
  #take(outputs) {
    this.#current = null;
    for (const [output, said] of Object.entries(outputs)) {
      this.#values[output] = "revision" in said ? new Rows(said.value, said.revision) : said.value;
    }
  }

  /**
   * A failure stands until the next load begins, but its end isn't announced. A source that answers at once is told by one
   * state, without `loading`; if it has failed, or one of its records was broken, that was said just before.
   */
  #loadTold() {
    if (!this.#failedSinceState) this.#set("error", null);
    this.#failedSinceState = false;
  }

  /**
   * @param {string} output
   * @param {any} value
   */
  #set(output, value) {
    if (output === "error" && value === null && (this.#values[output] ?? null) === null) return;
    if (output in this.#values) this.#values[output] = value;
    this.#announce(output, value);
  }

  /** Asks for everything, once, and takes no splice until it is there. */
  #synchronize() {
    if (this.#syncing) return;
    this.#syncing = true;
    this.#host.outputs(this).then(
      () => (this.#syncing = false),
      () => (this.#syncing = false),
    );
  }

  /**
   * @param {string} output
   * @param {any} [value]
   */
  #announce(output, value) {
    this.#current = null;
    const lasting = output in this.#values;
    for (const callback of [...(this.#callbacks.get(output) ?? [])]) {
      attempt(callback, lasting ? /** @type {any} */ (this).value(output) : value);
    }
    if (lasting) for (const callback of [...(this.#callbacks.get(EVERYTHING) ?? [])]) attempt(callback, undefined);
  }

  #closedError() {
    return this.#host.closed ?? new NoSuchViewError(`The view ${this.view} was closed.`, { code: -32001 });
  }
}

/** Where those who watch a whole view stand among the outputs; no output has this name. */
const EVERYTHING = "";

/**
 * What a callback throws is its caller's bug, and must not keep others from hearing: it is reported like that of any event.
 *
 * @param {(value: any) => void} callback
 * @param {any} value
 */
function attempt(callback, value) {
  try {
    callback(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * The class of a screen's views: outputs as properties, inputs as methods.
 *
 * @param {{inputs: string[], outputs: string[]}} screen
 * @returns {typeof ViewBase}
 */
export function viewClass({ inputs, outputs }) {
  const Class = class View extends ViewBase {};
  for (const output of outputs) {
    if (output in Class.prototype || OWN.has(output)) continue;
    Object.defineProperty(Class.prototype, output, { get() { return this.value(output); }, enumerable: true });
  }
  for (const input of inputs) {
    if (input in Class.prototype || OWN.has(input)) continue;
    const method = /** @this {ViewBase} @param {any} params @param {Options} options */ function (params, options) {
      return this.call(input, params, options);
    };
    Object.defineProperty(Class.prototype, input, { value: method, enumerable: true });
  }
  return Class;
}

/** Names that every view has itself; `then` would make a promise of it. */
const OWN = new Set(["view", "screen", "viewModel", "then"]);
