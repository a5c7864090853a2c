export * from "./errors.js";
export { ViewBase } from "./view.js";
export { websocket } from "./websocket.js";
export { App, connect } from "./app.js";
export { StateEvent, WarningEvent } from "./events.js";
