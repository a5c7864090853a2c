import { ErrorCode } from "./codes.js";

/**
 * An error from a server, or one that ended a connection. The codes are in section 2.2 of the protocol; sources may
 * have codes of their own.
 */
export class NagareError extends Error {
  /**
   * @param {string} message a sentence for people
   * @param {{code?: number, data?: any, cause?: unknown}} details
   */
  constructor(message, { code = ErrorCode.internalError, data, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    /** The error code. */
    this.code = code;
    /**
     * More data, as the protocol defines it for this code.
     *
     * @type {any}
     */
    this.data = data;
  }
}

/** The server received something that isn't JSON. */
export class ParseError extends NagareError {}
/** The server received something that isn't a request, or isn't allowed now. */
export class InvalidRequestError extends NagareError {}
/** The method doesn't exist, or the view doesn't have the input: `data.inputs` lists those it has. */
export class MethodNotFoundError extends NagareError {}
/** A parameter is missing, has the wrong type, or names an item that isn't listed: see `data.param` and `data.expected`. */
export class InvalidParamsError extends NagareError {}
/** The server failed. */
export class InternalError extends NagareError {}
/** The request was cancelled. */
export class CancelledError extends NagareError {}
/** The view isn't open: `data.views` lists those that are. */
export class NoSuchViewError extends NagareError {}
/** The screen doesn't exist: `data.screens` lists those that do. */
export class NoSuchScreenError extends NagareError {}
/** A view with this name is open already. */
export class ViewTakenError extends NagareError {}
/** A limit was exceeded: see `data.limit` and `data.max`. */
export class LimitPassedError extends NagareError {}

/** The connection is lost or was never there. The message has the reason. */
export class ConnectionClosedError extends NagareError {
  /**
   * @param {string} message
   * @param {{cause?: unknown}} [details]
   */
  constructor(message, details) {
    super(message, { ...details, code: -32000 });
  }
}

/**
 * An error of a source, which is shown to the user as it is. If it is `retryable`, Nagare tries five times in all before it is shown.
 *
 * @example throw new SourceError("The mail server is down.", { code: 503, retryable: true });
 */
export class SourceError extends NagareError {
  /**
   * @param {string} message a sentence for the user
   * @param {{code?: number, retryable?: boolean, cause?: unknown}} details
   */
  constructor(message, { code, retryable = false, cause } = {}) {
    super(message, { ...(code !== undefined && { code }), data: { retryable }, cause });
  }
}

/** @type {Map<number, typeof NagareError>} */
const classes = new Map([
  [ErrorCode.parseError, ParseError],
  [ErrorCode.invalidRequest, InvalidRequestError],
  [ErrorCode.methodNotFound, MethodNotFoundError],
  [ErrorCode.invalidParams, InvalidParamsError],
  [ErrorCode.internalError, InternalError],
  [ErrorCode.requestCancelled, CancelledError],
  [ErrorCode.noSuchView, NoSuchViewError],
  [ErrorCode.noSuchScreen, NoSuchScreenError],
  [ErrorCode.viewTaken, ViewTakenError],
  [ErrorCode.limitPassed, LimitPassedError],
]);

/**
 * Creates the error of a response.
 *
 * @param {{code: number, message: string, data?: any}} error
 * @returns {NagareError}
 */
export function errorFrom({ code, message, data }) {
  return new (classes.get(code) ?? NagareError)(message, { code, data });
}

/**
 * Whether an error only reports that a session, a view or the waiting has ended. The app learns this from `state`, `closed` or its
 * own signal, too.
 *
 * @param {unknown} error
 * @param {AbortSignal} [signal] of the caller
 */
function isEnd(error, signal) {
  if (signal?.aborted && error === signal.reason) return true;
  return [ConnectionClosedError, CancelledError, NoSuchViewError].some((End) => error instanceof End);
}

/**
 * Returns a promise with the same result that callers needn't await. If it is rejected because something has ended, Node doesn't
 * exit with an unhandled rejection.
 *
 * @template Result
 * @param {Promise<Result>} promise
 * @param {AbortSignal} [signal] of the caller
 * @returns {Promise<Result>}
 */
export function endable(promise, signal) {
  /** @type {Promise<Result>} */
  const result = new Promise((resolve, reject) => {
    promise.then(resolve, (error) => {
      if (isEnd(error, signal)) result.catch(() => {});
      reject(error);
    });
  });
  return result;
}
