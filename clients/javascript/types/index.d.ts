export * from "./errors.js";
export { ViewBase } from "./view.js";
export { websocket } from "./websocket.js";
export { App, connect } from "./app.js";
export { LostEvent, StateEvent, WarningEvent } from "./events.js";
