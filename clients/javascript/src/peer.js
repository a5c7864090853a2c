import { ErrorCode } from "./codes.js";
import { CancelledError, ConnectionClosedError, errorFrom, LimitPassedError, NagareError, ParseError } from "./errors.js";
import { parse, stringify } from "./json.js";
import { excess, tooDeep } from "./limits.js";

/**
 * @typedef {object} Waiting a request that isn't answered yet
 * @property {string} method
 * @property {any} params
 * @property {number} message the number of its message among those that were sent
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {any} [opened] the view that it opened
 *
 * @typedef {Pick<import("./connection.js").Owner, "serve" | "hear" | "warn">} Speaker who is spoken for
 */

/**
 * @template Result
 * @typedef {object} RequestOptions
 * @property {AbortSignal | undefined} [signal]
 * @property {(result: any, request: Waiting) => Result} [take] makes of the answer what the promise resolves to, before
 *   the next message is looked at
 * @property {(result: any) => void} [late] gets the answer that comes after the signal
 */

/** One side of a JSON-RPC 2.0 dialogue: requests and their answers, in both directions. One connection has one peer. */
export class Peer {
  /** @type {Speaker} */
  #for;
  /** @type {((text: string) => void) | null} */
  #send = null;
  /**
   * What the server reads at most; null where that isn't known.
   *
   * @type {import("./types.js").Limits | null}
   */
  limits = null;
  /** @type {NagareError | null} */
  #ended = null;
  #lastID = 0;
  #sent = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Map<unknown, AbortController>} */
  #serving = new Map();

  /** @param {Speaker} speaker */
  constructor(speaker) {
    this.#for = speaker;
  }

  /** @param {(text: string) => void} send */
  begin(send) {
    this.#send = send;
  }

  /**
   * Everyone who waits, and everyone who comes, gets this error.
   *
   * @param {NagareError} error
   */
  end(error) {
    if (this.#ended) return;
    this.#ended = error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
    for (const controller of this.#serving.values()) controller.abort(error);
    this.#serving.clear();
  }

  /**
   * The oldest request that waits and fits.
   *
   * @param {(request: Waiting) => boolean} fits
   */
  oldest(fits) {
    for (const request of this.#waiting.values()) if (fits(request)) return request;
    return undefined;
  }

  /**
   * @template Result
   * @param {string} method
   * @param {object} params
   * @param {RequestOptions<Result>} options
   * @returns {Promise<Result>}
   */
  request(method, params, { signal, take = (result) => result, late = () => {} } = {}) {
    const answered = new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#lastID;
      const text = this.#text({ jsonrpc: "2.0", id, method, params });
      const abort = () => {
        request.resolve = late;
        this.notify("$/cancelRequest", { id });
        reject(signal?.reason);
      };
      const request = {
        method,
        params,
        message: this.#sent + 1,
        resolve: (/** @type {any} */ result) => {
          signal?.removeEventListener("abort", abort);
          resolve(take(result, request));
        },
        reject: (/** @type {unknown} */ error) => {
          signal?.removeEventListener("abort", abort);
          // A call that nobody awaits may well go on until the session ends, and that is no error of anyone's then.
          if (error instanceof ConnectionClosedError || error instanceof CancelledError) answered.catch(() => {});
          reject(error);
        },
      };
      this.#waiting.set(id, request);
      signal?.addEventListener("abort", abort, { once: true });
      this.#write(text);
    });
    return answered;
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    if (!this.#ended) this.#write(this.#text({ jsonrpc: "2.0", method, params }));
  }

  /**
   * The text of a message that the server can read. Throws a {@link LimitPassedError} if it can't.
   *
   * @param {object} message
   */
  #text(message) {
    let text;
    try {
      text = stringify(message);
    } catch (error) {
      // JavaScript's own `stringify` recurses.
      throw error instanceof RangeError ? tooDeep(this.limits?.depth) : error;
    }
    const error = this.limits && excess(text, this.limits);
    if (error) throw error;
    return text;
  }

  /** @param {string} text */
  #write(text) {
    this.#sent += 1;
    this.#send?.(text);
  }

  /**
   * Takes one message. What can't be used is told as a warning, and the next one works.
   *
   * @param {string} text
   */
  receive(text) {
    if (this.#ended) return;
    let message;
    try {
      message = parse(text);
    } catch (cause) {
      const what = `The server wrote what is no message: ${text.slice(0, 200)}`;
      return this.#for.warn(new ParseError(what, { code: ErrorCode.parseError, cause }));
    }
    try {
      this.#take(message);
    } catch (error) {
      this.#for.warn(error);
    }
  }

  /** @param {any} message */
  #take(message) {
    if (typeof message?.method === "string") {
      if (message.id !== undefined) void this.#serve(message);
      else if (message.method === "$/cancelRequest") this.#cancel(message.params?.id);
      else if (!message.method.startsWith("$/")) this.#for.hear(message.method, message.params ?? {});
      return;
    }
    const id = message?.id === null && message.error ? this.#unread(message.error) : message?.id;
    const request = this.#waiting.get(id);
    if (!request) {
      if (message?.error) this.#for.warn(errorFrom(message.error));
      return;
    }
    this.#waiting.delete(id);
    if (message.error) return request.reject(errorFrom(message.error));
    try {
      request.resolve(message.result);
    } catch (error) {
      request.reject(error);
    }
  }

  /**
   * The server couldn't read a message: the id of the request that it was.
   *
   * @param {{data?: {message?: number}}} error
   */
  #unread({ data }) {
    for (const [id, { message }] of this.#waiting) if (message === data?.message) return id;
    return undefined;
  }

  /** @param {unknown} id */
  #cancel(id) {
    this.#serving.get(id)?.abort(new CancelledError("The server no longer needs this.", { code: ErrorCode.requestCancelled }));
  }

  /** @param {{id: any, method: string, params?: any}} request */
  async #serve({ id, method, params }) {
    const controller = new AbortController();
    this.#serving.set(id, controller);
    let sent = () => {};
    const answered = new Promise((resolve) => (sent = () => resolve(undefined)));
    let answer;
    try {
      const result = await this.#for.serve(method, params ?? {}, { id, signal: controller.signal, answered });
      controller.signal.throwIfAborted();
      answer = this.#text({ jsonrpc: "2.0", id, result: result ?? {} });
    } catch (thrown) {
      const error = controller.signal.aborted ? controller.signal.reason : thrown;
      if (!(error instanceof NagareError) || error instanceof LimitPassedError) this.#for.warn(error);
      answer = this.#refusal(id, error);
    }
    this.#serving.delete(id);
    if (!this.#ended) this.#write(answer);
    sent();
  }

  /**
   * The answer that says what went wrong, or else that this is more than the server reads.
   *
   * @param {any} id
   * @param {unknown} error
   */
  #refusal(id, error) {
    try {
      return this.#text({ jsonrpc: "2.0", id, error: errorBody(error) });
    } catch (limit) {
      return stringify({ jsonrpc: "2.0", id, error: errorBody(limit) });
    }
  }
}

/** @param {unknown} error */
function errorBody(error) {
  const { code, data } = error instanceof NagareError ? error : { code: ErrorCode.internalError, data: undefined };
  const message = error instanceof Error ? error.message : String(error);
  return { code, message, ...(data !== undefined && { data }) };
}

/**
 * @param {unknown} error null if the connection was closed in good order
 * @returns {ConnectionClosedError}
 */
export function closedError(error) {
  if (error instanceof ConnectionClosedError) return error;
  if (error === null) return new ConnectionClosedError("The session was closed.");
  return new ConnectionClosedError(error instanceof Error ? error.message : String(error), { cause: error });
}
