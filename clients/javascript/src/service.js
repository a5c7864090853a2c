import { ErrorCode } from "./codes.js";
import { LimitPassedError, MethodNotFoundError, SourceError } from "./errors.js";
import { ExactNumber, stringify } from "./json.js";

/** The error code of a source that has no item with an id. */
const NO_SUCH_ITEM = -32015;

/**
 * @typedef {import("./types.js").Presenter} Presenter
 * @typedef {import("./types.js").Source} Source
 *
 * A request of the server.
 *
 * @typedef {object} Request
 * @property {any} id
 * @property {AbortSignal} signal aborts when the answer is no longer needed
 * @property {Promise<void>} answered resolves when the answer was sent
 */

/** Answers the server's requests to present tasks and to provide pages. */
export class Service {
  /** @type {Presenter | undefined} */
  presenter;
  /** @type {Map<string, Source>} */
  sources = new Map();
  /** @type {import("./views.js").Views} */
  #views;
  #notify;
  /** @type {Map<string, AbortController>} by the source, query and filters, as JSON */
  #watches = new Map();

  /**
   * @param {import("./views.js").Views} views
   * @param {(method: string, params: object) => void} notify
   */
  constructor(views, notify) {
    this.#views = views;
    this.#notify = notify;
  }

  /** The capabilities for `initialize`. */
  get capabilities() {
    return { present: this.presenter !== undefined, sources: [...this.sources.keys()] };
  }

  /**
   * Answers a request.
   *
   * @param {string} method
   * @param {any} params
   * @param {Request} request
   */
  async serve(method, params, request) {
    const { signal, answered } = request;
    if (method === "present") return this.#present(params, signal);
    const { source: name, ...fields } = params;
    const source = this.sources.get(name);
    if (source && method === "source/page") return source.page(fields, { signal, progress: this.#progress(request) });
    if (source?.item && method === "source/item") {
      const item = await source.item(fields, { signal });
      if (item === null || item === undefined) throw new SourceError("There is no such item, or none any more.", { code: NO_SUCH_ITEM });
      return { item };
    }
    if (source?.watch && method === "source/watch") return this.#watch(source, params, answered);
    if (source?.insert && method === "source/insert") return made(await source.insert(fields, { signal }));
    if ("ids" in fields || "all" in fields) {
      if (source?.changeMarked && method === "source/change") return source.changeMarked(fields, { signal });
      if (source?.removeMarked && method === "source/remove") return source.removeMarked(fields, { signal });
    } else {
      if (source?.change && method === "source/change") return made(await source.change(fields, { signal }));
      if (source?.remove && method === "source/remove") return source.remove(fields, { signal });
    }
    throw unknown(source ? `${method} of ${name}` : method);
  }

  /**
   * Ends a watch.
   *
   * @param {{source: string, query: string | null, filters?: object, since?: string | null}} watched
   */
  unwatch({ since: _, ...watched }) {
    const name = stringify(watched);
    this.#watches.get(name)?.abort();
    this.#watches.delete(name);
  }

  /** Ends all watches, because the connection is lost. */
  end() {
    for (const controller of this.#watches.values()) controller.abort();
    this.#watches.clear();
  }

  /**
   * Returns the function that reports the progress of an answer.
   *
   * @param {Request} request
   * @returns {import("./types.js").PageContext["progress"]}
   */
  #progress({ id, signal, answered }) {
    let over = false;
    void answered.then(() => (over = true));
    return (done, { of, unit } = {}) => {
      if (!over && !signal.aborted) this.#notify("source/progress", { request: id, done, of, unit });
    };
  }

  /**
   * @param {Source} source
   * @param {any} params
   * @param {Promise<void>} answered
   */
  #watch(source, params, answered) {
    const { since, ...watched } = params;
    const { source: _, ...criteria } = watched;
    // If the server has missed changes, it sends a new watch request, which replaces the first.
    this.unwatch(watched);
    const controller = new AbortController();
    this.#watches.set(stringify(watched), controller);
    const { signal } = controller;
    /** @type {object[] | null} changes before the answer. They are deferred, because the server can't apply them before the answer */
    let early = [];
    const send = (/** @type {object} */ change) => {
      if (signal.aborted) return;
      try {
        this.#notify("source/changed", change);
      } catch (error) {
        if (!(error instanceof LimitPassedError)) throw error;
        // The list reloads instead. If a page contains rows that the server can't read, that page fails.
        this.#notify("source/changed", { ...change, changes: "all" });
      }
    };
    /** @type {import("./types.js").WatchContext["changed"]} */
    const changed = (changes, state = {}) => {
      const change = { ...watched, ...state, changes };
      if (early) early.push(change);
      else send(change);
    };
    void answered.then(() => {
      early?.forEach(send);
      early = null;
    });
    return source.watch?.({ ...criteria, since }, { signal, changed });
  }

  /**
   * @param {{view: string, task: import("./types.js").Task}} params
   * @param {AbortSignal} signal
   */
  async #present({ view: name, task }, signal) {
    const view = this.#views.open.get(name);
    const { presenter = {} } = this;
    // Inherited properties such as `constructor` aren't presenters.
    const present = typeof presenter === "function" || !Object.hasOwn(presenter, task.kind) ? presenter : presenter[task.kind];
    if (typeof present !== "function") throw unknown(`tasks of the kind ${task.kind}`);
    const value = await present(task, { view, signal });
    return value === null ? { outcome: "cancelled" } : { outcome: "completed", ...(value !== undefined && { value }) };
  }
}

/**
 * Returns the answer to an insertion or a change: the item or the id that the source's function returned. Anything else means
 * nothing, because arrow functions return values by accident.
 *
 * @param {any} value
 * @returns {{item: object} | {id: any} | {}}
 */
function made(value) {
  if (typeof value !== "object" || value === null) return {};
  const { item, id } = value;
  if (typeof item === "object" && item !== null && !Array.isArray(item)) return { item };
  return isId(id) ? { id } : {};
}

/** @param {unknown} value */
function isId(value) {
  return ["string", "number", "bigint"].includes(typeof value) || value instanceof ExactNumber;
}

/** @param {string} what */
function unknown(what) {
  return new MethodNotFoundError(`This client doesn't know ${what}.`, { code: ErrorCode.methodNotFound });
}
