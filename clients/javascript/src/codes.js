// Generated from protocol/openrpc.json; make generate

/** The numbers of the protocol's errors, by their names. */
export const ErrorCode = Object.freeze({
  /** Not JSON, not UTF-8, too deep, or a broken header. */
  parseError: -32700,
  /** JSON, but not a request; or a request after shutdown. */
  invalidRequest: -32600,
  /** No such method, or the view has no such input. */
  methodNotFound: -32601,
  /** A parameter is missing or of the wrong type, or names an item that isn't there. */
  invalidParams: -32602,
  /** An error of the server. */
  internalError: -32603,
  /** The request was cancelled. */
  requestCancelled: -32800,
  /** No view of that name is open. */
  noSuchView: -32001,
  /** No screen has that name. */
  noSuchScreen: -32002,
  /** A view of that name is open already. */
  viewTaken: -32003,
  /** A limit was passed. */
  limitPassed: -32005,
});
