/**
 * A client for Nagare's servers: `connect`, transports and errors.
 *
 * @module
 */

export { App, connect } from "./app.js";
export { ErrorCode } from "./codes.js";
export {
  CancelledError,
  ConnectionClosedError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  LimitPassedError,
  MethodNotFoundError,
  NagareError,
  NoSuchScreenError,
  NoSuchViewError,
  ParseError,
  SourceError,
  ViewTakenError,
} from "./errors.js";
export { ExactNumber, idKey, parse, sameId, stringify } from "./json.js";
export { live, LiveRows } from "./live.js";
export { LostEvent, StateEvent, WarningEvent } from "./events.js";
export { ListWindow } from "./lists.js";
export { ViewBase } from "./view.js";
export { virtual } from "./virtual.js";
export { websocket } from "./websocket.js";
