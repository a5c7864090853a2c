import { ConnectionClosedError, InternalError, InvalidRequestError } from "./errors.js";
import { LostEvent, StateEvent, WarningEvent } from "./events.js";
import { closedError, Peer } from "./peer.js";
import { Service } from "./service.js";
import { control } from "./view.js";
import { Views } from "./views.js";

/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Source} Source
 */

/** The version of the protocol that is spoken here. */
const PROTOCOL = "1";

/**
 * A session with a server: opens screens, presents tasks, gives pages. `connect` makes one. It is an `EventTarget` with the
 * events `state` ({@link StateEvent}), `lost` ({@link LostEvent}) and `warning` ({@link WarningEvent}).
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
  /** @type {import("./types.js").Server | null} */
  #server = null;
  /** @type {ConnectionClosedError | null} */
  #closed = null;
  #views = new Views(this.#makeHost());
  #service = new Service(this.#views);

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
    this.#service.presenter = options.present;
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
    return this.#views.open;
  }

  /**
   * Presents tasks from now on. To be said before the first request, which tells the server that there is somebody.
   *
   * @param {import("./types.js").Presenter} presenter a function, or one for each kind of task
   * @example app.present({ prompt: (task) => window.prompt(task.title, task.text), confirm: (task) => window.confirm(task.title) });
   */
  present(presenter) {
    this.#beforeTheFirstRequest("present");
    this.#service.presenter = presenter;
  }

  /**
   * Gives a source's pages. To be said before the first request, which tells the server who answers.
   *
   * @param {string} name its name in the server's configuration
   * @param {Source | Source["page"]} source a function that gives pages, or an object with functions for edits besides
   */
  source(name, source) {
    this.#beforeTheFirstRequest("source");
    this.#service.sources.set(name, typeof source === "function" ? { page: source } : source);
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
      take: (opened) => /** @type {Screens[Name]} */ (this.#views.adopt(opened, params)),
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
   * @param {Options} options
   * @returns {Promise<import("./types.js").Screen[]>}
   */
  screens({ signal } = {}) {
    return this.#request("screens", {}, { signal, take: ({ screens }) => screens });
  }

  /**
   * Moves the clock of a server that was started with `--clock virtual`.
   *
   * @param {number} milliseconds
   * @param {Options} options
   * @returns {Promise<number>} the time since the server's start, in milliseconds
   */
  advance(milliseconds, { signal } = {}) {
    return this.#request("clock/advance", { milliseconds }, { signal, take: ({ now }) => now });
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
    if (this.#state === "closed") this.#views.endAll();
    await this.#link?.close();
  }

  /** Closes the session: what `await using` calls. */
  [Symbol.asyncDispose]() {
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
    if (this.#state !== "closed") throw new InvalidRequestError(`The connection is ${this.#state}.`, { code: -32600 });
    await this.#connect(options);
    const { signal } = options;
    const opened = await this.#views.reopen(
      ({ screen, view }, params, take) =>
        this.#request("open", { screen, view, params }, { signal, take, late: () => this.#peer.notify("close", { view }) }),
      () => this.#state === "open",
    );
    if (this.#closed) throw this.#closed;
    return opened;
  }

  /** @param {Options} options */
  async #connect({ signal }) {
    signal?.throwIfAborted();
    const peer = new Peer({
      serve: (method, params, signal) => this.#service.serve(method, params, signal),
      hear: (output, params) => this.#hear(output, params),
      warn: (error) => this.dispatchEvent(new WarningEvent(error)),
    });
    this.#peer = peer;
    this.#begun = false;
    this.#ending = false;
    this.#closed = null;
    this.#link = null;
    this.#become("connecting");
    try {
      const link = await this.#transport.open({
        message: (text) => peer.receive(text),
        close: (error) => this.#lost(peer, error),
      }, { signal });
      this.#link = link;
      peer.begin((text) => link.send(text));
      if (this.#ending) await link.close();
    } catch (error) {
      this.#lost(peer, error);
      throw signal?.aborted ? signal.reason : this.#closed;
    }
    if (this.#closed) throw this.#closed;
    this.#become("open");
  }

  /** @returns {import("./view.js").Host} */
  #makeHost() {
    return {
      input: ({ view }, input, params, { signal } = {}) =>
        this.#request(input, { ...params, view }, { signal, take: (_, request) => request.opened }),
      tell: ({ view }, input, params) => this.#peer.notify(input, { ...params, view }),
      outputs: (view) => this.#request("outputs", { view: view.view }, { take: ({ outputs }) => control.synchronize(view, outputs) }),
      close: ({ view }, { signal } = {}) => {
        const take = () => this.#views.end(view);
        return this.#request("close", { view }, { signal, take, late: take });
      },
      abandon: (view) => this.#views.abandon(view),
      names: () => [...this.#views.open.keys()],
      closed: () => this.#closed,
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
    const capabilities = { deltas, ...this.#service.capabilities };
    const peer = this.#peer;
    const link = this.#link;
    const failed = (/** @type {Error} */ error) => {
      this.#lost(peer, error);
      void link?.close();
    };
    peer.request("initialize", { protocolVersion: PROTOCOL, client, capabilities }, {
      take: (server) => {
        this.#server = server;
        const version = server.protocolVersion;
        if (version !== PROTOCOL) throw new InternalError(`The server speaks version ${version} of the protocol, not ${PROTOCOL}.`);
      },
    }).catch(failed);
    peer.request("screens", {}, { take: ({ screens }) => this.#views.know(screens) }).catch(failed);
  }

  /** @param {string} method */
  #beforeTheFirstRequest(method) {
    if (!this.#begun) return;
    const why = "the server has been told what this client can do. Say it before the first request.";
    throw new InvalidRequestError(`${method} comes too late: ${why}`, { code: -32600 });
  }

  /**
   * @param {string} output
   * @param {any} params
   */
  #hear(output, params) {
    const opened = this.#views.hear(output, params);
    const cause = opened && this.#peer.oldest((request) => request.params.view === params.view);
    if (cause) cause.opened = opened;
  }

  /**
   * @param {Peer} peer
   * @param {unknown} reason
   */
  #lost(peer, reason) {
    if (peer !== this.#peer || this.#state === "closed") return;
    const error = closedError(this.#ending ? null : reason);
    const broken = this.#state === "open" && !this.#ending;
    this.#closed = error;
    this.#state = "closed";
    peer.end(error);
    if (this.#ending) this.#views.endAll();
    else this.#views.lose(error);
    this.dispatchEvent(new StateEvent("closed", this.#ending ? null : error));
    if (broken) this.dispatchEvent(new LostEvent(error));
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
