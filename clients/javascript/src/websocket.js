import { ConnectionClosedError } from "./errors.js";

const decoder = new TextDecoder();

const MISSING = "There is no WebSocket here: Node 20 needs --experimental-websocket, or pass a class.";

/**
 * A transport to a server behind a WebSocket. Each WebSocket message is one message of the protocol, as with `websocketd nagare`;
 * binary messages are read as UTF-8.
 *
 * @param {string | URL} url
 * @param {object} options
 * @param {string | string[]} [options.protocols] the subprotocols to request
 * @param {typeof globalThis.WebSocket} [options.WebSocket] the class to use instead of the global one
 * @param {number} [options.patience] how long the other side may take to end when the session is closed, in milliseconds. After twice
 *   that time the connection is given up
 * @returns {import("./types.js").Transport}
 */
export function websocket(url, { protocols = [], WebSocket = globalThis.WebSocket, patience = 3000 } = {}) {
  // The query may contain secrets.
  const name = String(url).replace(/[?#].*$/s, "");
  return {
    open(events, { signal }) {
      return new Promise((resolve, reject) => {
        if (!WebSocket) throw new ConnectionClosedError(MISSING);
        const socket = new WebSocket(url, protocols);
        // Otherwise binary messages are Blobs, which are read asynchronously, so that later messages would overtake them.
        socket.binaryType = "arraybuffer";
        let opened = false;
        let closing = false;
        /** @type {() => void} */
        let ended;
        const end = new Promise((resolve) => (ended = () => resolve(undefined)));
        const after = (/** @type {number} */ milliseconds, /** @type {() => void} */ act) => {
          const timer = setTimeout(act, milliseconds);
          // A timer would keep Node alive.
          void end.then(() => clearTimeout(timer));
        };
        const abort = () => {
          socket.close();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        socket.addEventListener("open", () => {
          signal?.removeEventListener("abort", abort);
          if (signal?.aborted) return;
          opened = true;
          resolve({
            send(text) {
              if (socket.readyState === WebSocket.OPEN) socket.send(text);
            },
            async close(farewell) {
              if (!closing) {
                after(2 * patience, () => {
                  finish("");
                  abandon(socket);
                });
              }
              closing = true;
              if (farewell && socket.readyState === WebSocket.OPEN) {
                await Promise.race([farewell.shutdown(), end, new Promise((resolve) => after(patience / 2, () => resolve(undefined)))]);
                farewell.exit();
              }
              socket.close(1000);
              await end;
            },
          });
        });
        socket.addEventListener("message", ({ data }) => {
          events.message(typeof data === "string" ? data : decoder.decode(data));
        });
        let over = false;
        const finish = (/** @type {string} */ why) => {
          if (over) return;
          over = true;
          signal?.removeEventListener("abort", abort);
          ended();
          if (!opened) reject(new ConnectionClosedError(`No connection to ${name}${why}.`));
          else events.close(closing ? null : new ConnectionClosedError(`The connection to ${name} was closed${why}.`));
        };
        socket.addEventListener("close", ({ code, reason }) => finish(` (code ${code}${reason && `, ${reason}`})`));
        // `close` follows with more details, but Node 20 omits it without listeners.
        socket.addEventListener("error", () => setTimeout(finish, 0, ""));
      });
    },
  };
}

/**
 * Gives up a connection whose other side doesn't answer `close`. Browsers and Node wait for the answer without a limit, and
 * Node doesn't end before.
 *
 * @param {WebSocket & {terminate?(): void}} socket
 */
function abandon(socket) {
  // The package `ws` has a method for this. In Node's own class only the response knows the connection.
  if (socket.terminate) return socket.terminate();
  const response = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "response");
  if (response) /** @type {any} */ (socket)[response]?.socket?.destroy();
}
