import { websocket } from "../../javascript/src/index.js";
import { presenters } from "./asking.js";
import { address, Socket } from "./early.js";
import { restoreLayout } from "./layout.js";
import { keepForOffline } from "./offline.js";
import { Session } from "./session.js";
import { Shell } from "./shell.js";
import { restoreTheme } from "./theme.js";

// What is loaded later has these from here.
export { ListWindow, parse, sameId, stringify } from "../../javascript/src/index.js";

restoreTheme();
restoreLayout();

/** @type {Session} */
export const session = new Session(websocket(address, { WebSocket: /** @type {any} */ (Socket) }), presenters, {
  opened: (screens) => {
    shell.opened(screens);
    void keepForOffline(session.app).catch((error) => console.info(String(error)));
  },
  lost: () => shell.lost(),
  waits: (milliseconds) => shell.banner.count("No connection to the server.", milliseconds),
});
const shell = new Shell(session.app, () => session.hurry());

addEventListener("online", () => session.hurry());
document.addEventListener("visibilitychange", () => document.hidden || session.hurry());
void session.connect();
