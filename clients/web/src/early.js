// The page begins to connect while all else of it is still on its way.

/** The server is beside the page. */
export const address = new URL("../nagare", location.href);
address.protocol = address.protocol.replace("http", "ws");

/** @type {WebSocket | null} */
let first = new WebSocket(address);

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
