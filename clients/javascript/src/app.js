import { ErrorCode } from "./codes.js";
import { Connection } from "./connection.js";
import { endable, InvalidRequestError } from "./errors.js";
import { LostEvent, StateEvent, WarningEvent } from "./events.js";
import { Service } from "./service.js";
import { control } from "./view.js";
import { Views } from "./views.js";

/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Source} Source
 */

const NO_TRANSPORT =
  'connect needs a transport: connect(stdio(["nagare"])), or connect(websocket("ws://localhost:8080")).';

/**
 * A session with a server: it opens screens, presents tasks and provides pages. `connect` creates one. It is an `EventTarget`
 * with the events `state` ({@link StateEvent}), `lost` ({@link LostEvent}) and `warning` ({@link WarningEvent}).
 *
 * @template {Record<string, any>} [Screens=Record<string, View>] the type of each screen's views, by the screen's name
 */
export class App extends EventTarget {
  /** @type {import("./types.js").ConnectOptions} */
  #options;
  /** @type {import("./types.js").Server | null} */
  #server = null;
  /** @type {Connection} */
  #connection;
  #views = new Views(this.#host());
  #abort = () => void this.close();
  #service = new Service(this.#views, (method, params) => this.#connection.notify(method, params));

  /**
   * Creates a session that isn't connected. `connect` creates and connects one.
   *
   * @param {import("./types.js").Transport} transport
   * @param {import("./types.js").ConnectOptions} [options]
   */
  constructor(transport, options = {}) {
    super();
    if (typeof transport?.open !== "function") throw new TypeError(NO_TRANSPORT);
    this.#options = options;
    this.#connection = new Connection(transport, this.#owner());
    this.#service.presenter = options.present;
    for (const [name, source] of Object.entries(options.sources ?? {})) this.source(name, source);
  }

  /** The state of the connection. The event `state` reports changes. */
  get state() {
    return this.#connection.state;
  }

  /** The server's name, version, capabilities and limits; null before its first answer. */
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
   * Sets the presenter of tasks. Must be called before the first request, which sends this capability to the server.
   *
   * @param {import("./types.js").Presenter} presenter a function, or an object with a function for each kind of task
   * @example app.present({ prompt: (task) => window.prompt(task.title, task.text) });
   */
  present(presenter) {
    this.#beforeTheFirstRequest("present");
    this.#service.presenter = presenter;
  }

  /**
   * Adds a source that the client provides. Must be called before the first request, which sends the sources' names to the server.
   *
   * @param {string} name of the source in the server's configuration
   * @param {Source | Source["page"]} source a function that returns pages, or an object that also has functions for edits
   */
  source(name, source) {
    this.#beforeTheFirstRequest("source");
    this.#service.sources.set(name, typeof source === "function" ? { page: source } : source);
  }

  /**
   * Opens a screen. A list loads nothing before `viewWillAppear`.
   *
   * @template {keyof Screens & string} Name
   * @param {Name} screen
   * @param {object} [params] options of this view, such as `pageSize`
   * @param {import("./types.js").OpenOptions} options
   * @returns {Promise<Screens[Name]>}
   */
  open(screen, params = {}, { view, signal } = {}) {
    return this.#connection.request("open", { screen, view, params }, {
      signal,
      convert: (opened) => /** @type {Screens[Name]} */ (this.#views.adopt(opened, params)),
      // The caller has aborted the request, so nothing uses this view.
      onLateResult: (opened) => this.#connection.notify("close", { view: opened.view }),
    });
  }

  /**
   * Sends an action to the stores. The promise resolves when its effects have ended, such as the load of a list that uses a store's
   * value.
   *
   * @param {string} type
   * @param {unknown} [value]
   * @param {Options} options
   * @returns {Promise<import("./types.js").Outcome>} the outcome
   */
  dispatch(type, value = null, { signal } = {}) {
    const params = { action: { type, value }, wait: true };
    return this.#connection.request("dispatch", params, { signal, convert: ({ outcome }) => outcome });
  }

  /**
   * Sends an action to the stores without waiting.
   *
   * @param {string} type
   * @param {unknown} [value]
   */
  sendAction(type, value = null) {
    this.#connection.notify("dispatch", { action: { type, value } });
  }

  /**
   * Returns the screens that can be opened.
   *
   * @param {Options} options
   * @returns {Promise<import("./types.js").Screen[]>}
   */
  screens({ signal } = {}) {
    return this.#connection.request("screens", {}, { signal, convert: ({ screens }) => screens });
  }

  /**
   * Advances the clock of a server that was started with `--clock virtual`.
   *
   * @param {number} milliseconds
   * @param {Options} options
   * @returns {Promise<number>} the time since the server's start, in milliseconds
   */
  advance(milliseconds, { signal } = {}) {
    return this.#connection.request("clock/advance", { milliseconds }, { signal, convert: ({ now }) => now });
  }

  /**
   * Sends a request that has no method in this class, such as `ping` or `rpc.discover`.
   *
   * @param {string} method
   * @param {object} [params]
   * @param {Options} [options]
   * @returns {Promise<any>} the result
   */
  request(method, params = {}, options) {
    return this.#connection.request(method, params, options);
  }

  /**
   * Ends the session in an orderly way: the server answers pending requests, then it ends.
   *
   * @returns {Promise<void>}
   */
  async close() {
    if (this.#connection.state === "closed") this.#views.endAll();
    await this.#connection.close();
  }

  /** Closes the session at the end of `await using`. */
  [Symbol.asyncDispose]() {
    return this.close();
  }

  /**
   * Connects again after the connection was lost, and reopens the views that were open. They stay the same objects, so
   * subscriptions continue. Views that were opened by other views, such as a list's detail, have ended.
   *
   * @param {Options} options
   * @returns {Promise<View[]>} the reopened views. They have not appeared yet
   */
  reconnect({ signal } = {}) {
    return endable(this.#reconnect(signal), signal);
  }

  /**
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<View[]>}
   */
  async #reconnect(signal) {
    if (this.#options.signal?.aborted) await this.close();
    this.#options.signal?.throwIfAborted();
    const connection = this.#connection;
    if (connection.state !== "closed") {
      throw new InvalidRequestError(`The connection is ${connection.state}.`, { code: ErrorCode.invalidRequest });
    }
    await connection.open(signal);
    const opened = await this.#views.reopen(
      ({ screen, view }, params, convert) => {
        const onLateResult = () => connection.notify("close", { view });
        return connection.request("open", { screen, view, params }, { signal, convert, onLateResult });
      },
      () => connection.closed === null,
    );
    if (connection.closed) throw connection.closed;
    return opened;
  }

  /**
   * Returns the functions of the session that its connection calls.
   *
   * @returns {import("./connection.js").Owner}
   */
  #owner() {
    return {
      introduction: () => {
        const { client, deltas = true } = this.#options;
        return { client, capabilities: { deltas, windows: true, ...this.#service.capabilities } };
      },
      serverReceived: (server) => void (this.#server = server),
      screensReceived: (screens) => this.#views.setScreens(screens),
      serve: (method, params, request) => this.#service.serve(method, params, request),
      receive: (output, params) => {
        if (output === "source/unwatch") return this.#service.unwatch(params);
        const opened = this.#views.receive(output, params);
        if (opened) this.#connection.attribute(params.view, opened);
      },
      warn: (error) => void this.dispatchEvent(new WarningEvent(error)),
      connectionLost: (error, ending) => {
        this.#service.end();
        if (ending) this.#views.endAll();
        else this.#views.connectionLost(error);
      },
      stateChanged: (event, error) => {
        // The signal may live longer than many sessions.
        if (event === "open") this.#options.signal?.addEventListener("abort", this.#abort, { once: true });
        if (event === "closed") this.#options.signal?.removeEventListener("abort", this.#abort);
        if (event === "lost") this.dispatchEvent(new LostEvent(error));
        else this.dispatchEvent(new StateEvent(event, error));
      },
    };
  }

  /**
   * Returns the functions of the session that its views call.
   *
   * @returns {import("./view.js").Host}
   */
  #host() {
    return {
      call: ({ view }, input, params, { signal } = {}) =>
        this.#connection.request(input, { ...params, view, wait: true }, { signal, convert: ({ outcome }) => outcome }),
      open: ({ view }, input, params, { signal } = {}) => {
        // Views that earlier `send` and `call` open must not be attributed to this input.
        this.#connection.separate();
        return this.#connection.request(input, { ...params, view }, { signal, convert: (_, { opened }) => opened });
      },
      send: ({ view }, input, params) => this.#connection.notify(input, { ...params, view }),
      outputs: (view) => {
        const convert = (/** @type {{outputs: any}} */ { outputs }) => control.synchronize(view, outputs);
        return this.#connection.request("outputs", { view: view.view }, { convert });
      },
      close: ({ view }, { signal } = {}) => {
        const convert = () => this.#views.end(view);
        return this.#connection.request("close", { view }, { signal, convert, onLateResult: convert });
      },
      abandon: (view) => this.#views.abandon(view),
      openNames: () => [...this.#views.open.keys()],
      knownOutputs: ({ screen }) => this.#views.outputs(screen),
      closed: () => this.#connection.closed,
      callbackThrew: (error) => {
        if (this.dispatchEvent(new WarningEvent(error))) console.error(error);
      },
    };
  }

  /** @param {string} method */
  #beforeTheFirstRequest(method) {
    if (!this.#connection.isIntroduced) return;
    const why = "the server knows the client's capabilities already. Call it before the first request.";
    throw new InvalidRequestError(`${method} was called too late: ${why}`, { code: ErrorCode.invalidRequest });
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
  return app;
}
