import { ErrorCode } from "./codes.js";
import { MethodNotFoundError, SourceError } from "./errors.js";

/** What a source answers where it has no item with an id. */
const NO_SUCH_ITEM = -32015;

/**
 * @typedef {import("./types.js").Presenter} Presenter
 * @typedef {import("./types.js").Source} Source
 */

/** What the server may ask of this client: to present tasks, and to give pages. */
export class Service {
  /** @type {Presenter | undefined} */
  presenter;
  /** @type {Map<string, Source>} */
  sources = new Map();
  /** @type {import("./views.js").Views} */
  #views;

  /** @param {import("./views.js").Views} views */
  constructor(views) {
    this.#views = views;
  }

  /** What the server is told in `initialize`. */
  get capabilities() {
    return { present: this.presenter !== undefined, sources: [...this.sources.keys()] };
  }

  /**
   * Answers a request.
   *
   * @param {string} method
   * @param {any} params
   * @param {AbortSignal} signal
   */
  async serve(method, params, signal) {
    if (method === "present") return this.#present(params, signal);
    const { source: name, ...asked } = params;
    const source = this.sources.get(name);
    if (source && method === "source/page") return source.page(asked, { signal });
    if (source?.item && method === "source/item") {
      const item = await source.item(asked, { signal });
      if (item === null || item === undefined) throw new SourceError("There is no such item, or none any more.", { code: NO_SUCH_ITEM });
      return { item };
    }
    if (source?.insert && method === "source/insert") return source.insert(asked, { signal });
    if (source?.change && method === "source/change") return source.change(asked, { signal });
    if (source?.remove && method === "source/remove") return source.remove(asked, { signal });
    throw unknown(source ? `${method} of ${name}` : method);
  }

  /**
   * @param {{view: string, task: import("./types.js").Task}} params
   * @param {AbortSignal} signal
   */
  async #present({ view: name, task }, signal) {
    const view = this.#views.open.get(name);
    const { presenter = {} } = this;
    // What every object has, such as a `constructor`, presents nothing.
    const present = typeof presenter === "function" || !Object.hasOwn(presenter, task.kind) ? presenter : presenter[task.kind];
    if (typeof present !== "function") throw unknown(`tasks of the kind ${task.kind}`);
    const value = await present(task, { view, signal });
    return value === null ? { outcome: "cancelled" } : { outcome: "completed", ...(value !== undefined && { value }) };
  }
}

/** @param {string} what */
function unknown(what) {
  return new MethodNotFoundError(`This client doesn't know ${what}.`, { code: ErrorCode.methodNotFound });
}
