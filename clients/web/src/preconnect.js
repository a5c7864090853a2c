// Connects and sends the first request while the rest of the page is still loading.

/** The server's address, relative to the page's. */
export const serverAddress = new URL("../nagare", location.href);
serverAddress.protocol = serverAddress.protocol.replace("http", "ws");

/** Why the server has closed the last open socket: a sentence, or the empty string if the connection was lost. */
export let closeReason = "";

const ID = "early";
/** @type {WebSocket | null} the first socket, until somebody uses it */
let preconnected = recordEnd(new WebSocket(serverAddress));
/** Returns which screens the server has. */
const request = { method: "rpc.discover", params: { members: ["x-screens", "x-viewModels", "x-notifications"] } };

/** The first request. Its answer is the text of the response, or null if the connection closes before. */
export const first = { ...request, answer: send(preconnected) };

/** @param {WebSocket} socket */
function recordEnd(socket) {
  socket.addEventListener("open", () => (closeReason = ""));
  socket.addEventListener("close", ({ reason }) => (closeReason = reason || closeReason));
  return socket;
}

/**
 * @param {WebSocket} socket
 * @returns {Promise<string | null>}
 */
function send(socket) {
  return new Promise((resolve) => {
    const receive = (/** @type {MessageEvent} */ { data }) => JSON.parse(data).id === ID && finish(data);
    const finish = (/** @type {string | null} */ answer) => {
      socket.removeEventListener("message", receive);
      resolve(answer);
    };
    socket.addEventListener("open", () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: ID, ...request })), { once: true });
    socket.addEventListener("message", receive);
    socket.addEventListener("close", () => finish(null), { once: true });
  });
}

/**
 * Creates a socket. The first call returns the preconnected one and fires `open` or `close` again, because the caller has missed them.
 *
 * @param {string | URL} url
 * @param {string | string[]} protocols
 */
export function PreconnectedSocket(url, protocols) {
  const socket = preconnected;
  preconnected = null;
  if (!socket || socket.readyState === WebSocket.CONNECTING) return socket ?? recordEnd(new WebSocket(url, protocols));
  const missed = socket.readyState === WebSocket.OPEN ? new Event("open") : new CloseEvent("close", { code: 1006 });
  queueMicrotask(() => socket.dispatchEvent(missed));
  return socket;
}
PreconnectedSocket.OPEN = WebSocket.OPEN;
