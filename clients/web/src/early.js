// The page begins to connect while all else of it is still on its way, and asks for what it needs first.

/** The server is beside the page. */
export const address = new URL("../nagare", location.href);
address.protocol = address.protocol.replace("http", "ws");

/** What the page asks its server first: what its screens are, and no more. */
export const FIRST = { method: "rpc.discover", params: { members: ["x-screens", "x-viewModels", "x-notifications"] } };

const EARLY = "early";
/** @type {WebSocket | null} */
let first = new WebSocket(address);

/**
 * What the first server answers to that, as it says it; null if it doesn't.
 *
 * @type {Promise<string | null>}
 */
export const discovered = new Promise((resolve) => {
  const socket = /** @type {WebSocket} */ (first);
  const hear = (/** @type {MessageEvent} */ { data }) => JSON.parse(data).id === EARLY && tell(data);
  const tell = (/** @type {string | null} */ answer) => {
    socket.removeEventListener("message", hear);
    resolve(answer);
  };
  socket.addEventListener("open", () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: EARLY, ...FIRST })), { once: true });
  socket.addEventListener("message", hear);
  socket.addEventListener("close", () => tell(null), { once: true });
});

/**
 * The browser's sockets, of which the first is there already: what it has told nobody, it tells now.
 *
 * @param {string | URL} url
 * @param {string | string[]} protocols
 */
export function Socket(url, protocols) {
  const socket = first;
  first = null;
  if (!socket || socket.readyState === WebSocket.CONNECTING) return socket ?? new WebSocket(url, protocols);
  const told = socket.readyState === WebSocket.OPEN ? new Event("open") : new CloseEvent("close", { code: 1006 });
  queueMicrotask(() => socket.dispatchEvent(told));
  return socket;
}
Socket.OPEN = WebSocket.OPEN;
