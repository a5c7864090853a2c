export * from "./errors.js";
export { ViewBase } from "./view.js";
export { websocket } from "./websocket.js";
export { App, connect, StateEvent, WarningEvent } from "./app.js";
