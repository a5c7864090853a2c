import { ErrorCode } from "./codes.js";
import { CancelledError, ConnectionClosedError, endable, errorFrom, LimitPassedError, NagareError, ParseError } from "./errors.js";
import { parse, stringify } from "./json.js";
import { limitError, depthError } from "./limits.js";

/**
 * A request that isn't answered yet.
 *
 * @typedef {object} PendingRequest
 * @property {string} method
 * @property {any} params
 * @property {number} message the number of its message among those that were sent
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {any} [opened] the view that it opened
 * @property {boolean} [separates] whether it only separates the effects of earlier and later messages: see {@link Peer.separate}
 *
 * The handler of incoming messages.
 *
 * @typedef {object} PeerHandler
 * @property {(method: string, params: any, request: import("./service.js").Request) => unknown} serve answers a request
 * @property {(method: string, params: any) => void} receive handles a notification
 * @property {(error: unknown) => void} warn reports an error that concerns no caller
 */

/**
 * @template Result
 * @typedef {object} RequestOptions
 * @property {AbortSignal | undefined} [signal]
 * @property {(result: any, request: PendingRequest) => Result} [convert] called before the next message is handled
 * @property {(result: any) => void} [onLateResult] called with a result that comes after the signal
 * @property {boolean} [separates] see {@link PendingRequest}
 */

/** One side of a JSON-RPC 2.0 connection: requests and answers in both directions. Each connection has its own peer. */
export class Peer {
  /** @type {PeerHandler} */
  #handler;
  /** @type {((text: string) => void) | null} */
  #send = null;
  /**
   * The limits of the server; null if they aren't known.
   *
   * @type {import("./types.js").Limits | null}
   */
  limits = null;
  /** @type {NagareError | null} */
  #ended = null;
  #lastID = 0;
  #sent = 0;
  /** The number of the last message that was answered. The server has carried out this message and all before it. */
  #carriedOut = 0;
  /** The number of the last notification or waiting input. No answer follows the immediate effects of these messages. */
  #lastCause = 0;
  /** @type {Map<number, PendingRequest>} */
  #pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  #serving = new Map();

  /** @param {PeerHandler} speaker */
  constructor(speaker) {
    this.#handler = speaker;
  }

  /** @param {(text: string) => void} send */
  begin(send) {
    this.#send = send;
  }

  /**
   * Rejects all pending and all later requests.
   *
   * @param {NagareError} error
   */
  end(error) {
    if (this.#ended) return;
    this.#ended = error;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
    for (const controller of this.#serving.values()) controller.abort(error);
    this.#serving.clear();
  }

  /**
   * Returns the oldest pending request that fits.
   *
   * @param {(request: PendingRequest) => boolean} fits
   */
  oldest(fits) {
    for (const request of this.#pending.values()) if (fits(request)) return request;
    return undefined;
  }

  /**
   * @template Result
   * @param {string} method
   * @param {object} params
   * @param {RequestOptions<Result>} options
   * @returns {Promise<Result>}
   */
  request(method, params, { signal, convert = (result) => result, onLateResult = () => {}, separates = false } = {}) {
    const answered = new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#lastID;
      const text = this.#text({ jsonrpc: "2.0", id, method, params });
      const abort = () => {
        request.resolve = onLateResult;
        this.notify("$/cancelRequest", { id });
        reject(signal?.reason);
      };
      const request = {
        method,
        params,
        message: this.#sent + 1,
        separates,
        resolve: (/** @type {any} */ result) => {
          signal?.removeEventListener("abort", abort);
          resolve(convert(result, request));
        },
        reject: (/** @type {unknown} */ error) => {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      };
      this.#pending.set(id, request);
      signal?.addEventListener("abort", abort, { once: true });
      this.#write(text);
      if (/** @type {any} */ (params).wait) this.#lastCause = this.#sent;
    });
    return endable(answered, signal);
  }

  /**
   * Sends a request that separates the immediate effects of earlier messages from those of later ones, because the effects of
   * notifications aren't followed by an answer. If all earlier messages are known to be carried out, it does nothing.
   */
  separate() {
    if (this.#lastCause <= this.#carriedOut) return;
    this.#lastCause = 0;
    this.request("ping", {}, { separates: true }).catch(() => {});
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    if (this.#ended) return;
    this.#write(this.#text({ jsonrpc: "2.0", method, params }));
    this.#lastCause = this.#sent;
  }

  /**
   * Writes a message as JSON. Throws a {@link LimitPassedError} if the server can't read it.
   *
   * @param {object} message
   */
  #text(message) {
    let text;
    try {
      text = stringify(message);
    } catch (error) {
      // JavaScript's own `stringify` is recursive.
      throw error instanceof RangeError ? depthError(this.limits?.depth) : error;
    }
    const error = this.limits && limitError(text, this.limits);
    if (error) throw error;
    return text;
  }

  /** @param {string} text */
  #write(text) {
    this.#sent += 1;
    this.#send?.(text);
  }

  /**
   * Handles one message. A message that can't be used is reported as a warning.
   *
   * @param {string} text
   */
  receive(text) {
    if (this.#ended) return;
    let message;
    try {
      message = parse(text);
    } catch (cause) {
      const what = `The server sent an invalid message: ${text.slice(0, 200)}`;
      return this.#handler.warn(new ParseError(what, { code: ErrorCode.parseError, cause }));
    }
    try {
      this.#receive(message);
    } catch (error) {
      this.#handler.warn(error);
    }
  }

  /** @param {any} message */
  #receive(message) {
    if (typeof message?.method === "string") {
      if (message.id !== undefined) void this.#serve(message);
      else if (message.method === "$/cancelRequest") this.#cancel(message.params?.id);
      else if (!message.method.startsWith("$/")) this.#handler.receive(message.method, message.params ?? {});
      return;
    }
    const id = message?.id === null && message.error ? this.#unreadableRequest(message.error) : message?.id;
    const request = this.#pending.get(id);
    if (!request) {
      if (message?.error) this.#handler.warn(errorFrom(message.error));
      return;
    }
    this.#pending.delete(id);
    this.#carriedOut = Math.max(this.#carriedOut, request.message);
    if (message.error) return request.reject(errorFrom(message.error));
    try {
      request.resolve(message.result);
    } catch (error) {
      request.reject(error);
    }
  }

  /**
   * Returns the id of the request that the server couldn't read.
   *
   * @param {{data?: {message?: number}}} error
   */
  #unreadableRequest({ data }) {
    for (const [id, { message }] of this.#pending) if (message === data?.message) return id;
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
      const result = await this.#handler.serve(method, params ?? {}, { id, signal: controller.signal, answered });
      controller.signal.throwIfAborted();
      answer = this.#text({ jsonrpc: "2.0", id, result: result ?? {} });
    } catch (thrown) {
      const error = controller.signal.aborted ? controller.signal.reason : thrown;
      if (!(error instanceof NagareError) || error instanceof LimitPassedError) this.#handler.warn(error);
      answer = this.#errorResponse(id, error);
    }
    this.#serving.delete(id);
    if (!this.#ended) this.#write(answer);
    sent();
  }

  /**
   * Writes the response for an error, or for the exceeded limit if the error is too large.
   *
   * @param {any} id
   * @param {unknown} error
   */
  #errorResponse(id, error) {
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
