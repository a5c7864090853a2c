import { ErrorCode } from "./codes.js";

/**
 * What a server answers instead of a result, and what ends a connection.
 *
 * The numbers are those of the protocol's section 2.2; codes of a source's own pass through.
 */
export class NagareError extends Error {
  /**
   * @param {string} message a sentence for people
   * @param {{code?: number, data?: any, cause?: unknown}} details
   */
  constructor(message, { code = ErrorCode.internalError, data, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    /** The number that programs tell errors by. */
    this.code = code;
    /**
     * What there is to know besides, as the protocol says it for this code.
     *
     * @type {any}
     */
    this.data = data;
  }
}

/** The server found no JSON in what was sent. */
export class ParseError extends NagareError {}
/** What was sent is no request, or none that is allowed now. */
export class InvalidRequestError extends NagareError {}
/** There is no such method, or the view has no such input: `data.inputs` has those that it has. */
export class MethodNotFoundError extends NagareError {}
/**
 * A parameter is missing, of the wrong type, or names an item that isn't listed: see `data.param` and `data.expected`.
 */
export class InvalidParamsError extends NagareError {}
/** An error of the server. */
export class InternalError extends NagareError {}
/** The request was cancelled. */
export class CancelledError extends NagareError {}
/** There is no such view: `data.views` has the open ones. */
export class NoSuchViewError extends NagareError {}
/** There is no such screen: `data.screens` has those that there are. */
export class NoSuchScreenError extends NagareError {}
/** A view of that name is open. */
export class ViewTakenError extends NagareError {}
/** A limit was passed: see `data.limit` and `data.max`. */
export class LimitPassedError extends NagareError {}

/** The connection is gone, or was never there: the message says why. */
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
 * What a source's function throws so that the user sees it as it is. Nagare tries again what is retryable, five times
 * in all, before it is shown.
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
 * The error that a response carries.
 *
 * @param {{code: number, message: string, data?: any}} error
 * @returns {NagareError}
 */
export function errorFrom({ code, message, data }) {
  return new (classes.get(code) ?? NagareError)(message, { code, data });
}
