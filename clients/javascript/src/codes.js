// Generated from protocol/openrpc.json; make generate

/** The error codes of the protocol, by name. */
export const ErrorCode = Object.freeze({
  /** The message isn't JSON or UTF-8, is nested too deeply, or has a broken header. */
  parseError: -32700,
  /** The message isn't a JSON-RPC request, or came after shutdown. */
  invalidRequest: -32600,
  /** The method doesn't exist, or the view has no such input. */
  methodNotFound: -32601,
  /** A parameter is missing, has the wrong type, or names an item that isn't listed. */
  invalidParams: -32602,
  /** The server failed. */
  internalError: -32603,
  /** The request was cancelled. */
  requestCancelled: -32800,
  /** No view with this name is open. */
  noSuchView: -32001,
  /** No screen has this name. */
  noSuchScreen: -32002,
  /** A view with this name is open already. */
  viewTaken: -32003,
  /** A limit was exceeded. */
  limitPassed: -32005,
});
