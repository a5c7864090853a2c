import { Channel } from "./channel.js";
import { ErrorCode } from "./codes.js";
import { ConnectionClosedError, endable, NoSuchViewError } from "./errors.js";
import { ALL_OUTPUTS, Outputs } from "./outputs.js";
import { ListWindow } from "./lists.js";
import { ViewportTracker } from "./viewport-tracker.js";
import { makeStore } from "./store.js";

/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").AnyModel} AnyModel
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Outcome} Outcome
 *
 * The functions of a session that its views call.
 *
 * @typedef {object} Host
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<Outcome>} call
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<View | undefined>} open
 * @property {(view: ViewBase<any>, input: string, params?: any) => void} send
 * @property {(view: ViewBase<any>) => Promise<void>} outputs requests all current values
 * @property {(view: ViewBase<any>, options?: Options) => Promise<void>} close
 * @property {(view: ViewBase<any>) => void} abandon prevents that it is reopened
 * @property {() => string[]} openNames the names of the open views
 * @property {(view: ViewBase<any>) => string[] | undefined} knownOutputs the outputs of its screen, if they are known
 * @property {() => Error | null} closed why there is no connection
 * @property {(error: unknown) => void} callbackThrew reports an error of a subscriber
 *
 * The functions of a view that only its session calls.
 *
 * @typedef {object} Control
 * @property {(view: ViewBase<any>, output: string, params: any) => void} receive applies an output
 * @property {(view: ViewBase<any>, outputs: Record<string, any>) => void} synchronize sets the current values of an open view
 * @property {(view: ViewBase<any>, error: unknown) => void} connectionLost keeps subscriptions, because the view may be reopened
 * @property {(view: ViewBase<any>) => void} end
 * @property {(view: ViewBase<any>) => ViewportTracker} viewportTracker
 */

/**
 * The library's access to the private parts of views.
 *
 * @type {Control}
 */
export let control;

/**
 * An open screen. Outputs are properties and inputs are methods, unless a view has properties with these names already. `current`
 * and `call` have all of them.
 *
 * @template {Model} [M=AnyModel]
 */
export class ViewBase {
  /** @type {Host} */
  #host;
  /** @type {Outputs} */
  #outputs;
  /** @type {Set<(end: {error?: unknown}) => void>} */
  #endings = new Set();
  /** @type {Map<string, import("./types.js").Store<any>>} */
  #stores = new Map();
  #viewportTracker = new ViewportTracker();
  #open = true;
  #synchronizing = false;

  /**
   * Used by the session only: `app.open` creates views.
   *
   * @param {Host} host
   * @param {{view: string, screen: string, viewModel: string, outputs: Record<string, any>}} opened
   */
  constructor(host, { view, screen, viewModel, outputs }) {
    this.#host = host;
    this.#outputs = new Outputs(outputs, (error) => host.callbackThrew(error));
    /** The view's name on the wire. */
    this.view = view;
    /** The name of the view's screen. */
    this.screen = screen;
    /** The kind of the screen: `list`, `pager` and so on. */
    this.viewModel = viewModel;
  }

  /** Whether the view is open on the server. After a lost connection it is open again when `app.reconnect()` has reopened it. */
  get isOpen() {
    return this.#open;
  }

  /**
   * All outputs that have a value, by name. The object and its arrays are immutable; a change creates new ones.
   *
   * @returns {Readonly<M["values"]>}
   */
  get current() {
    return /** @type {any} */ (this.#outputs.current);
  }

  /**
   * Returns the current value of an output.
   *
   * @template {keyof M["values"] & string} Name
   * @param {Name} output
   * @returns {M["values"][Name]}
   */
  value(output) {
    return this.#outputs.get(output);
  }

  /**
   * Sends an input. The promise resolves when all loads, edits and tasks that it started have ended. Their outputs are up to date
   * then.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   * @param {Options} [options]
   * @returns {Promise<Outcome>} the outcome
   */
  call(input, params, options) {
    if (!this.#open) return endable(Promise.reject(this.#closedError()));
    return this.#host.call(this, input, this.#params(input, params), options);
  }

  /**
   * Sends an input that opens a view. The promise resolves after the input's immediate effects. Its loads and tasks may still run.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   * @param {Options} [options]
   * @returns {Promise<View | undefined>} the opened view, such as a list's detail by `select`
   */
  open(input, params, options) {
    if (!this.#open) return endable(Promise.reject(this.#closedError()));
    return this.#host.open(this, input, this.#params(input, params), options);
  }

  /**
   * Sends an input without waiting, for frequent ones such as `viewport`.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   */
  send(input, params) {
    if (!this.#open) return;
    this.#host.send(this, input, this.#params(input, params));
  }

  /**
   * Calls back with every new value of an output. The output `closed` reports the end of the view.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => void} callback
   * @param {Options} options
   * @returns {() => void} ends the subscription, as the signal does
   */
  subscribe(output, callback, { signal } = {}) {
    this.#check(output);
    if (signal?.aborted) return () => {};
    const leave = this.#outputs.subscribe(output, callback);
    // After the end of the view there are no more values. The signal may live longer, so the listener is removed.
    const release = signal ? this.#outputs.subscribe("closed", () => unsubscribe()) : () => {};
    const unsubscribe = () => {
      leave();
      release();
      signal?.removeEventListener("abort", unsubscribe);
    };
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  /**
   * Returns an iterator for `for await` over an output's current value, if it has one, and all new ones. It ends with the view, and
   * throws when the connection is lost.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {import("./types.js").ValuesOptions} options
   * @returns {AsyncIterableIterator<(M["values"] & M["events"])[Name]>}
   */
  values(output, { signal, every = false } = {}) {
    const lasting = this.#outputs.has(output);
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
    if (lasting) channel.push(this.#outputs.get(output));
    if (signal?.aborted) abort();
    else if (!this.#open) channel.end({ error: this.#closedError() });
    return channel;
  }

  /**
   * Waits for a value of an output: the current one if it fits, otherwise the next one that does.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => unknown} [fits] whether a value fits; by default any value does
   * @param {Options} options
   * @returns {Promise<(M["values"] & M["events"])[Name]>} rejected if the view ends before
   */
  until(output, fits = () => true, { signal } = {}) {
    const search = async () => {
      for await (const value of this.values(output, { signal, every: true })) if (fits(value)) return value;
      throw this.#closedError();
    };
    return endable(search(), signal);
  }

  /**
   * Returns a store for an output, or for all outputs together. It is the same store each time.
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
  store(output = ALL_OUTPUTS) {
    if (output !== ALL_OUTPUTS) this.#check(output);
    const outputs = this.#outputs;
    const getSnapshot = () => (output === ALL_OUTPUTS ? outputs.current : outputs.get(output));
    const store = this.#stores.get(output) ?? makeStore(outputs, output, getSnapshot);
    this.#stores.set(output, store);
    return store;
  }

  /**
   * Closes the view and the views that it opened. It isn't reopened when a lost connection is back.
   *
   * @param {Options} [options]
   * @returns {Promise<void>} rejected if it isn't open
   */
  close(options) {
    if (this.#open) return this.#host.close(this, options);
    const error = this.#closedError();
    this.#host.abandon(this);
    return endable(Promise.reject(error));
  }

  /** Closes the view at the end of `await using`, unless it has ended. */
  async [Symbol.asyncDispose]() {
    await this.close().catch((error) => {
      if (!(error instanceof ConnectionClosedError || error instanceof NoSuchViewError)) throw error;
    });
  }

  static {
    control = {
      receive(view, output, params) {
        if (!view.#outputs.receive(output, params)) view.#synchronize();
      },
      synchronize(view, outputs) {
        view.#open = true;
        view.#outputs.replace(outputs);
      },
      connectionLost: (view, error) => view.#finish({ error }),
      end(view) {
        view.#finish({});
        view.#outputs.announce("closed", {});
      },
      viewportTracker: (view) => view.#viewportTracker,
    };
  }

  /**
   * Throws if an output doesn't exist, because waiting for it would never end.
   *
   * @param {unknown} output
   */
  #check(output) {
    if (typeof output === "function") {
      throw new TypeError('The name of an output comes first: until("items", (items) => items.length > 0).');
    }
    const known = this.#host.knownOutputs(this)?.concat("closed");
    if (!known || known.some((name) => name === output)) return;
    throw new TypeError(`${this.screen} has no output ${String(output)}: its outputs are ${known.join(", ")}.`);
  }

  /**
   * Adds the revision of the list to the indexes of rows, because the server's list may have changed since.
   *
   * @param {string} input
   * @param {any} params
   */
  #params(input, params) {
    if (input === "jump") this.#viewportTracker.reset();
    if (input !== "viewport" || !params) return params;
    this.#viewportTracker.reported(params);
    const items = this.#outputs.get("items");
    return items instanceof ListWindow ? { revision: items.revision, ...params } : params;
  }

  /** Requests all current values, once. Splices are ignored until they are there. */
  #synchronize() {
    if (this.#synchronizing) return;
    this.#synchronizing = true;
    const over = () => void (this.#synchronizing = false);
    this.#host.outputs(this).then(over, over);
  }

  /** @param {{error?: unknown}} end */
  #finish(end) {
    this.#open = false;
    for (const ending of [...this.#endings]) ending(end);
  }

  #closedError() {
    const data = { views: this.#host.openNames() };
    return this.#host.closed() ?? new NoSuchViewError(`The view ${this.view} was closed.`, { code: ErrorCode.noSuchView, data });
  }
}
