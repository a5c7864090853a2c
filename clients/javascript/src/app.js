import { ErrorCode } from "./codes.js";
import { Connection } from "./connection.js";
import { InvalidRequestError } from "./errors.js";
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
  'connect takes a way to a server: connect(stdio(["nagare"])), or connect(websocket("ws://localhost:8080")).';

/**
 * A session with a server: opens screens, presents tasks, gives pages. `connect` makes one. It is an `EventTarget` with
 * the events `state` ({@link StateEvent}), `lost` ({@link LostEvent}) and `warning` ({@link WarningEvent}).
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
  #service = new Service(this.#views, (method, params) => this.#connection.notify(method, params));

  /**
   * A session that isn't connected yet: `connect` does both.
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

  /** Whether there is a connection. The event `state` tells when that has changed. */
  get state() {
    return this.#connection.state;
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
   * @example app.present({ prompt: (task) => window.prompt(task.title, task.text) });
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
    return this.#connection.request("open", { screen, view, params }, {
      signal,
      convert: (opened) => /** @type {Screens[Name]} */ (this.#views.adopt(opened, params)),
      // Nobody will ever see it.
      onLateResult: (opened) => this.#connection.notify("close", { view: opened.view }),
    });
  }

  /**
   * Gives an action to the stores. The promise resolves when all that follows from it is over, such as the load of a list
   * that follows a store.
   *
   * @param {string} type
   * @param {unknown} [value]
   * @param {Options} options
   * @returns {Promise<import("./types.js").Outcome>} what has become of it all
   */
  dispatch(type, value = null, { signal } = {}) {
    const params = { action: { type, value }, wait: true };
    return this.#connection.request("dispatch", params, { signal, convert: ({ outcome }) => outcome });
  }

  /**
   * Gives an action to the stores, and doesn't want to know what became of it.
   *
   * @param {string} type
   * @param {unknown} [value]
   */
  sendAction(type, value = null) {
    this.#connection.notify("dispatch", { action: { type, value } });
  }

  /**
   * What can be opened.
   *
   * @param {Options} options
   * @returns {Promise<import("./types.js").Screen[]>}
   */
  screens({ signal } = {}) {
    return this.#connection.request("screens", {}, { signal, convert: ({ screens }) => screens });
  }

  /**
   * Moves the clock of a server that was started with `--clock virtual`.
   *
   * @param {number} milliseconds
   * @param {Options} options
   * @returns {Promise<number>} the time since the server's start, in milliseconds
   */
  advance(milliseconds, { signal } = {}) {
    return this.#connection.request("clock/advance", { milliseconds }, { signal, convert: ({ now }) => now });
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
    return this.#connection.request(method, params, options);
  }

  /**
   * Ends the session in good order: what was sent is answered, and the server ends. Resolves when it has.
   *
   * @returns {Promise<void>}
   */
  async close() {
    if (this.#connection.state === "closed") this.#views.endAll();
    await this.#connection.close();
  }

  /** Closes the session: what `await using` calls. */
  [Symbol.asyncDispose]() {
    return this.close();
  }

  /**
   * Connects again after the connection was lost, and opens again the views that were open: the same objects, so
   * whoever has subscribed hears of their values. Views that another one had opened, such as a list's detail, have
   * ended then.
   *
   * @param {Options} options
   * @returns {Promise<View[]>} the views that are open again. They have not appeared yet
   */
  async reconnect({ signal } = {}) {
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
   * What the connection needs of the session.
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
        if (event === "lost") this.dispatchEvent(new LostEvent(error));
        else this.dispatchEvent(new StateEvent(event, error));
      },
    };
  }

  /**
   * What views need of the session.
   *
   * @returns {import("./view.js").Host}
   */
  #host() {
    return {
      call: ({ view }, input, params, { signal } = {}) =>
        this.#connection.request(input, { ...params, view, wait: true }, { signal, convert: ({ outcome }) => outcome }),
      open: ({ view }, input, params, { signal } = {}) =>
        this.#connection.request(input, { ...params, view }, { signal, convert: (_, { opened }) => opened }),
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
    };
  }

  /** @param {string} method */
  #beforeTheFirstRequest(method) {
    if (!this.#connection.isIntroduced) return;
    const why = "the server has been told what this client can do. Say it before the first request.";
    throw new InvalidRequestError(`${method} comes too late: ${why}`, { code: ErrorCode.invalidRequest });
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
