import { websocket } from "../../javascript/src/index.js";
import { presenters } from "./dialogs/load-dialogs.js";
import { loadOffline } from "./lazy.js";
import { Session } from "./net/session.js";
import { closeReason, first, PreconnectedSocket, serverAddress } from "./preconnect.js";
import { restoreLayout } from "./shell/layout.js";
import { Shell } from "./shell/shell.js";
import { restoreTheme } from "./ui/theme.js";

// For the lazily loaded modules, which are bundled without the client library.
export { idKey, ListWindow, parse, sameId, stringify } from "../../javascript/src/index.js";

restoreTheme();
restoreLayout();

const transport = websocket(serverAddress, { WebSocket: /** @type {any} */ (PreconnectedSocket) });
/** @type {Session} */
export const session = new Session(transport, presenters, first, {
  opened: (screens) => {
    shell.connectionOpened(screens);
    loadOffline().then(({ keepForOffline }) => keepForOffline(session.app)).catch((error) => console.info(String(error)));
  },
  lost: () => shell.connectionLost(),
  retriesIn: (milliseconds) => shell.banner.countDown(closeReason || "No connection to the server.", milliseconds),
});
const shell = new Shell(session.app, () => session.retryNow());

addEventListener("online", () => session.retryNow());
document.addEventListener("visibilitychange", () => document.hidden || session.retryNow());
void session.connect();
