export { ErrorCode } from "./codes.js";
export { ViewBase } from "./view.js";
export { websocket } from "./websocket.js";
export { App, connect } from "./app.js";
export { CancelledError, ConnectionClosedError, InternalError, InvalidParamsError, InvalidRequestError, LimitPassedError, MethodNotFoundError, NagareError, NoSuchScreenError, NoSuchViewError, ParseError, SourceError, ViewTakenError } from "./errors.js";
export { ExactNumber, parse, sameId, stringify } from "./json.js";
export { LostEvent, StateEvent, WarningEvent } from "./events.js";
