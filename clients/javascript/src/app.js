import { asyncDispose } from "./dispose.js";
import { ConnectionClosedError, InternalError, InvalidRequestError } from "./errors.js";
import { closedError, Peer, unknownMethod } from "./peer.js";
import { control, ViewBase, viewClass } from "./view.js";

/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Source} Source
 */

/** The version of the protocol that is spoken here. */
const PROTOCOL = "1";

/** Tells the app's `state` as it has become. */
export class StateEvent extends Event {
  /**
   * @param {import("./types.js").ConnectionState} state
   * @param {ConnectionClosedError | null} error
   */
  constructor(state, error) {
    super("state");
    this.state = state;
    /** Why the connection is gone; null if it isn't, or was closed by `close`. */
    this.error = error;
  }
}

/** Tells what went wrong and has no caller: a line that is no message, a handler that threw. */
export class WarningEvent extends Event {
  /** @param {unknown} error */
  constructor(error) {
    super("warning");
    this.error = error;
  }
}

/**
 * A session with a server: opens screens, presents tasks, gives pages. `connect` makes one. It is an `EventTarget` with the
 * events `state` ({@link StateEvent}) and `warning` ({@link WarningEvent}).
 *
 * @template {Record<string, any>} [Screens=Record<string, View>] the type of each screen's views, by the screen's name
 */
export class App extends EventTarget {
  /** @type {import("./types.js").Transport} */
  #transport;
  /** @type {import("./types.js").ConnectOptions} */
  #options;
  /** @type {Peer} */
  #peer = new Peer({ serve: () => {}, hear: () => {}, warn: () => {} });
  /** @type {import("./types.js").Link | null} */
  #link = null;
  /** @type {import("./types.js").ConnectionState} */
  #state = "closed";
  #ending = false;
  #begun = false;
  /** @type {Map<string, View>} */
  #views = new Map();
  /**
   * Views whose connection was lost.
   *
   * @type {View[]}
   */
  #stranded = [];
  /** @type {Map<string, {viewModel: string, Class: typeof ViewBase}>} */
  #screens = new Map();
  /** @type {import("./types.js").Presenter | undefined} */
  #presenter;
  /** @type {Map<string, Source>} */
  #sources = new Map();
  /** @type {import("./types.js").Server | null} */
  #server = null;
  /** @type {ConnectionClosedError | null} */
  #closed = null;
  /**
   * How views were opened that can be opened again; one that another view has opened can't.
   *
   * @type {WeakMap<View, object>}
   */
  #params = new WeakMap();
  /** @type {import("./view.js").Host} */
  #host;

  /**
   * A session that isn't connected yet: `connect` does both.
   *
   * @param {import("./types.js").Transport} transport
   * @param {import("./types.js").ConnectOptions} options
   */
  constructor(transport, options) {
    super();
    this.#transport = transport;
    this.#options = options;
    this.#presenter = options.present;
    this.#host = this.#makeHost();
    for (const [name, source] of Object.entries(options.sources ?? {})) this.source(name, source);
  }

  /** Whether there is a connection. The event `state` tells when that has changed. */
  get state() {
    return this.#state;
  }

  /** What the server said of itself; null before its first answer. */
  get server() {
    return this.#server;
  }

  /**
   * The open views, by their names on the wire.
   *
   * @returns {ReadonlyMap<string, View>}
   */
  get views() {
    return this.#views;
  }

  /**
   * Presents tasks from now on. To be said before the first request, which tells the server that there is somebody.
   *
   * @param {import("./types.js").Presenter} presenter a function, or one for each kind of task
   * @example app.present({ prompt: (task) => window.prompt(task.title, task.text), confirm: (task) => window.confirm(task.title) });
   */
  present(presenter) {
    this.#beforeTheFirstRequest("present");
    this.#presenter = presenter;
  }

  /**
   * Gives a source's pages. To be said before the first request, which tells the server who answers.
   *
   * @param {string} name its name in the server's configuration
   * @param {Source | Source["page"]} source a function that gives pages, or an object with functions for edits besides
   */
  source(name, source) {
    this.#beforeTheFirstRequest("source");
    this.#sources.set(name, typeof source === "function" ? { page: source } : source);
  }

  /**
   * Opens a screen. Nothing is loaded yet: for a list, `viewWillAppear` does that.
   *
   * @template {keyof Screens & string} Name
   * @param {Name} screen
   * @param {object} [params] what this view has its own way, such as `pageSize`
   * @param {import("./types.js").OpenOptions} options
   * @returns {Promise<Screens[Name]>}
   */
  open(screen, params = {}, { view, signal } = {}) {
    return this.#request("open", { screen, view, params }, {
      signal,
      take: (opened) => /** @type {Screens[Name]} */ (this.#adopt(opened, params)),
      // Nobody will ever see it.
      late: (opened) => this.#peer.notify("close", { view: opened.view }),
    });
  }

  /**
   * Gives an action to the stores.
   *
   * @param {string} type
   * @param {unknown} [value]
   * @param {Options} [options]
   */
  async dispatch(type, value = null, options) {
    await this.#request("dispatch", { action: { type, value } }, options);
  }

  /**
   * What can be opened.
   *
   * @param {Options} [options]
   * @returns {Promise<import("./types.js").Screen[]>}
   */
  screens(options) {
    return this.#request("screens", {}, { ...options, take: ({ screens }) => screens });
  }

  /**
   * Moves the clock of a server that was started with `--clock virtual`.
   *
   * @param {number} milliseconds
   * @param {Options} [options]
   * @returns {Promise<number>} the time since the server's start, in milliseconds
   */
  advance(milliseconds, options) {
    return this.#request("clock/advance", { milliseconds }, { ...options, take: ({ now }) => now });
  }

  /**
   * Any request, for what has no function here: `ping`, `rpc.discover`.
   *
   * @param {string} method
   * @param {object} [params]
   * @param {Options} [options]
   * @returns {Promise<any>} the result
   */
  request(method, params = {}, options) {
    return this.#request(method, params, options);
  }

  /**
   * Ends the session in good order: what was sent is answered, and the server ends. Resolves when it has.
   *
   * @returns {Promise<void>}
   */
  async close() {
    this.#ending = true;
    await this.#link?.close();
  }

  [asyncDispose]() {
    return this.close();
  }

  /**
   * Connects again after the connection was lost, and opens again the views that were open: the same objects, so whoever
   * has subscribed hears of their values. Views that another one had opened, such as a list's detail, have ended then.
   *
   * @param {Options} [options]
   * @returns {Promise<View[]>} the views that are open again. They have not appeared yet
   */
  async reconnect(options = {}) {
    if (this.#state !== "closed") throw new InvalidRequestError(`There is no need to reconnect: the connection is ${this.#state}.`, { code: -32600 });
    await this.#connect(options);
    const stranded = this.#stranded.splice(0);
    for (const view of stranded) if (!this.#params.has(view)) control.end(view);
    const again = stranded.filter((view) => this.#params.has(view));
    const opened = await Promise.allSettled(again.map((view) => this.#openAgain(view, options)));
    // With the connection lost once more, they wait for the next try.
    if (this.#closedNow()) throw this.#closed;
    return again.filter((view, index) => opened[index]?.status === "fulfilled" || control.end(view));
  }

  #closedNow() {
    return this.#state === "closed";
  }

  /**
   * @param {View} view
   * @param {Options} options
   */
  #openAgain(view, { signal }) {
    const params = this.#params.get(view);
    return this.#request("open", { screen: view.screen, view: view.view, params }, {
      signal,
      take: ({ outputs }) => {
        this.#views.set(view.view, view);
        control.synchronize(view, outputs);
      },
      late: () => this.#peer.notify("close", { view: view.view }),
    }).catch((error) => {
      if (error instanceof ConnectionClosedError && !this.#stranded.includes(view)) this.#stranded.push(view);
      throw error;
    });
  }

  /** @param {Options} options */
  async #connect({ signal }) {
    signal?.throwIfAborted();
    const peer = new Peer({
      serve: (method, params, signal) => this.#serve(method, params, signal),
      hear: (output, params) => this.#hear(output, params),
      warn: (error) => this.dispatchEvent(new WarningEvent(error)),
    });
    this.#peer = peer;
    this.#begun = false;
    this.#ending = false;
    this.#closed = null;
    this.#become("connecting");
    try {
      const events = {
        message: (/** @type {string} */ text) => peer.receive(text),
        close: (/** @type {Error | null} */ error) => this.#lost(peer, error),
      };
      this.#link = await this.#transport.open(events, { signal });
    } catch (error) {
      this.#lost(peer, error);
      throw signal?.aborted ? signal.reason : this.#closed;
    }
    const { send } = this.#link;
    peer.begin(send.bind(this.#link));
    this.#become("open");
  }

  /** @returns {import("./view.js").Host} */
  #makeHost() {
    const closed = () => this.#closed;
    return {
      input: ({ view }, input, params, options) =>
        this.#request(input, { ...params, view }, { ...options, take: (_, request) => request.opened }),
      outputs: (view) => this.#request("outputs", { view: view.view }, { take: ({ outputs }) => control.synchronize(view, outputs) }),
      close: ({ view }, options) => {
        const take = () => this.#endView(view);
        return this.#request("close", { view }, { ...options, take, late: take });
      },
      get closed() {
        return closed();
      },
    };
  }

  /**
   * @template Result
   * @param {string} method
   * @param {object} params
   * @param {import("./peer.js").RequestOptions<Result>} [options]
   * @returns {Promise<Result>}
   */
  #request(method, params, options) {
    if (!this.#begun && this.#state === "open") this.#begin();
    if (this.#closed) return Promise.reject(this.#closed);
    return this.#peer.request(method, params, options);
  }

  /** Tells the server who this is. Nothing waits for the answers: they come before any other's. */
  #begin() {
    this.#begun = true;
    const { client, deltas = true } = this.#options;
    const capabilities = { deltas, present: this.#presenter !== undefined, sources: [...this.#sources.keys()] };
    const peer = this.#peer;
    const failed = (/** @type {Error} */ error) => {
      this.#lost(peer, error);
      void this.#link?.close();
    };
    peer.request("initialize", { protocolVersion: PROTOCOL, client, capabilities }, {
      take: (server) => {
        this.#server = server;
        if (server.protocolVersion !== PROTOCOL) throw new InternalError(`The server speaks version ${server.protocolVersion} of the protocol, not ${PROTOCOL}.`);
      },
    }).catch(failed);
    peer.request("screens", {}, {
      take: ({ screens }) => {
        for (const screen of screens) this.#screens.set(screen.screen, { viewModel: screen.viewModel, Class: viewClass(screen) });
      },
    }).catch(failed);
  }

  /** @param {string} method */
  #beforeTheFirstRequest(method) {
    if (this.#begun) throw new InvalidRequestError(`${method} comes too late: the server has been told what this client can do. Say it before the first request.`, { code: -32600 });
  }

  /**
   * @param {{view: string, screen: string, outputs: Record<string, any>}} opened
   * @param {object} [params] what opens it again
   */
  #adopt(opened, params) {
    const { viewModel = "", Class = ViewBase } = this.#screens.get(opened.screen) ?? {};
    const view = /** @type {View} */ (/** @type {unknown} */ (new Class(this.#host, { ...opened, viewModel })));
    if (params) this.#params.set(view, params);
    this.#views.set(opened.view, view);
    return view;
  }

  /**
   * @param {string} output
   * @param {any} params
   */
  #hear(output, params) {
    const view = this.#views.get(params.view);
    if (!view) return;
    if (output === "closed") return this.#endView(params.view);
    if (output !== "navigate" || typeof params.value?.view !== "string") return control.hear(view, output, params);
    const opened = this.#adopt(params.value);
    const cause = this.#peer.oldest((request) => request.params.view === params.view);
    if (cause) cause.opened = opened;
    control.hear(view, output, { value: opened });
  }

  /** @param {string} name */
  #endView(name) {
    const view = this.#views.get(name);
    this.#views.delete(name);
    if (view) control.end(view);
  }

  /**
   * @param {string} method
   * @param {any} params
   * @param {AbortSignal} signal
   */
  async #serve(method, params, signal) {
    if (method === "present") return this.#presentTask(params, signal);
    const { source: name, ...asked } = params;
    const source = this.#sources.get(name);
    if (source && method === "source/page") return source.page(asked, { signal });
    if (source?.insert && method === "source/insert") return source.insert(asked, { signal });
    if (source?.remove && method === "source/remove") return source.remove(asked, { signal });
    throw unknownMethod(source ? `${method} of ${name}` : method);
  }

  /**
   * @param {{view: string, task: import("./types.js").Task}} params
   * @param {AbortSignal} signal
   */
  async #presentTask({ view: name, task }, signal) {
    const view = this.#views.get(name);
    if (view) control.presents(view);
    const present = typeof this.#presenter === "function" ? this.#presenter : this.#presenter?.[task.kind];
    if (!present) throw unknownMethod(`tasks of the kind ${task.kind}`);
    const value = await present(task, { view, signal });
    return value === null ? { outcome: "cancelled" } : { outcome: "completed", ...(value !== undefined && { value }) };
  }

  /**
   * @param {Peer} peer
   * @param {unknown} reason
   */
  #lost(peer, reason) {
    if (peer !== this.#peer || this.#closedNow()) return;
    const error = closedError(this.#ending ? null : reason);
    this.#closed = error;
    this.#state = "closed";
    const views = [...this.#views.values()];
    this.#views.clear();
    peer.end(error);
    for (const view of views) this.#ending ? control.end(view) : control.lose(view, error);
    if (!this.#ending) this.#stranded.push(...views);
    this.dispatchEvent(new StateEvent("closed", this.#ending ? null : error));
  }

  /** @param {import("./types.js").ConnectionState} state */
  #become(state) {
    this.#state = state;
    this.dispatchEvent(new StateEvent(state, null));
  }
}

/**
 * Connects to a server.
 *
 * @template {Record<string, any>} [Screens=Record<string, View>]
 * @param {import("./types.js").Transport} transport `websocket(…)`, or `stdio(…)` from `nagare/stdio`
 * @param {import("./types.js").ConnectOptions} [options]
 * @returns {Promise<App<Screens>>}
 */
export async function connect(transport, options = {}) {
  const app = /** @type {App<Screens>} */ (new App(transport, options));
  await app.reconnect(options);
  const close = () => void app.close();
  options.signal?.addEventListener("abort", close, { once: true });
  return app;
}
