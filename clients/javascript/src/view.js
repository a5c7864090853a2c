import { Channel } from "./channel.js";
import { ErrorCode } from "./codes.js";
import { ConnectionClosedError, NoSuchViewError } from "./errors.js";
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
 * What a view needs of its session.
 *
 * @typedef {object} Host
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<Outcome>} call
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<View | undefined>} open
 * @property {(view: ViewBase<any>, input: string, params?: any) => void} send
 * @property {(view: ViewBase<any>) => Promise<void>} outputs asks for all that is current
 * @property {(view: ViewBase<any>, options?: Options) => Promise<void>} close
 * @property {(view: ViewBase<any>) => void} abandon doesn't open it again
 * @property {() => string[]} openNames the open views' names
 * @property {(view: ViewBase<any>) => string[] | undefined} knownOutputs the outputs of its screen, once the server has told
 * @property {() => Error | null} closed why there is no connection
 *
 * What a session does to its views.
 *
 * @typedef {object} Control
 * @property {(view: ViewBase<any>, output: string, said: any) => void} receive an output was said
 * @property {(view: ViewBase<any>, outputs: Record<string, any>) => void} synchronize this is current, in a view that
 *   is open
 * @property {(view: ViewBase<any>, error: unknown) => void} connectionLost the connection is gone; subscriptions stay, for it may
 *   come back
 * @property {(view: ViewBase<any>) => void} end the view is gone
 * @property {(view: ViewBase<any>) => ViewportTracker} viewportTracker which rows are looked at
 */

/**
 * The library's hand on its views, which nobody else has.
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
   * For the session alone: `app.open` makes views.
   *
   * @param {Host} host
   * @param {{view: string, screen: string, viewModel: string, outputs: Record<string, any>}} opened
   */
  constructor(host, { view, screen, viewModel, outputs }) {
    this.#host = host;
    this.#outputs = new Outputs(outputs);
    /** The view's name on the wire. */
    this.view = view;
    /** The name of its screen. */
    this.screen = screen;
    /** The kind of the screen: `list`, `pager` and so on. */
    this.viewModel = viewModel;
  }

  /** Whether it is open on the server. A view whose connection was lost is open again after `app.reconnect()`. */
  get isOpen() {
    return this.#open;
  }

  /**
   * All outputs that have a value, by name. The object and the arrays in it never change: the next change makes new
   * ones.
   *
   * @returns {Readonly<M["values"]>}
   */
  get current() {
    return /** @type {any} */ (this.#outputs.current);
  }

  /**
   * The value of an output, as it is now.
   *
   * @template {keyof M["values"] & string} Name
   * @param {Name} output
   * @returns {M["values"][Name]}
   */
  value(output) {
    return this.#outputs.get(output);
  }

  /**
   * Tells the view something. The promise resolves when all that this began is over: loads, edits, tasks. What they
   * caused has been said then.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   * @param {Options} [options]
   * @returns {Promise<Outcome>} what has become of it all
   */
  call(input, params, options) {
    if (!this.#open) return Promise.reject(this.#closedError());
    return this.#host.call(this, input, this.#params(input, params), options);
  }

  /**
   * Tells the view something that opens another. What this caused at once has been said when the promise resolves; what
   * it began goes on.
   *
   * @template {keyof M["inputs"] & string} Name
   * @param {Name} input
   * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
   * @param {Options} [options]
   * @returns {Promise<View | undefined>} the view that was opened, such as a list's detail by `select`
   */
  open(input, params, options) {
    if (!this.#open) return Promise.reject(this.#closedError());
    return this.#host.open(this, input, this.#params(input, params), options);
  }

  /**
   * Tells the view something, and doesn't want to know what became of it. For what comes often, such as `viewport`.
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
   * Calls back with every value that an output says from now on; `closed` says that the view has ended.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => void} callback
   * @param {Options} options
   * @returns {() => void} ends that; so does the signal
   */
  subscribe(output, callback, { signal } = {}) {
    this.#check(output);
    if (signal?.aborted) return () => {};
    const leave = this.#outputs.subscribe(output, callback);
    const unsubscribe = () => {
      leave();
      signal?.removeEventListener("abort", unsubscribe);
    };
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  /**
   * An output's values, for `for await`: the current one, if it has one, and each that is said from now on. Ends with
   * the view; a lost connection throws.
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
   * Waits for a value: the current one if that will do, else the first that does.
   *
   * @template {(keyof M["values"] | keyof M["events"]) & string} Name
   * @param {Name} output
   * @param {(value: (M["values"] & M["events"])[Name]) => unknown} [fits] says whether a value will do; by default any
   *   does
   * @param {Options} options
   * @returns {Promise<(M["values"] & M["events"])[Name]>} rejected when the view ends first
   */
  async until(output, fits = () => true, { signal } = {}) {
    for await (const value of this.values(output, { signal, every: true })) if (fits(value)) return value;
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
  store(output = ALL_OUTPUTS) {
    if (output !== ALL_OUTPUTS) this.#check(output);
    const outputs = this.#outputs;
    const getSnapshot = () => (output === ALL_OUTPUTS ? outputs.current : outputs.get(output));
    const store = this.#stores.get(output) ?? makeStore(outputs, output, getSnapshot);
    this.#stores.set(output, store);
    return store;
  }

  /**
   * Ends the view, and the views that it opened. One whose connection was lost won't be opened again.
   *
   * @param {Options} [options]
   * @returns {Promise<void>} rejected if it isn't open
   */
  async close(options) {
    if (this.#open) return this.#host.close(this, options);
    const error = this.#closedError();
    this.#host.abandon(this);
    throw error;
  }

  /** Ends the view, if it hasn't ended: what `await using` calls. */
  async [Symbol.asyncDispose]() {
    await this.close().catch((error) => {
      if (!(error instanceof ConnectionClosedError || error instanceof NoSuchViewError)) throw error;
    });
  }

  static {
    control = {
      receive(view, output, said) {
        if (!view.#outputs.receive(output, said)) view.#synchronize();
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
   * Who waits for what will never be said would wait for ever.
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
   * Indices of rows are those of the list as it is here; the server's may be others by now.
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

  /** Asks for all that is current, once, and takes no splice until it is there. */
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
