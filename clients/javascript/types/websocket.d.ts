/**
 * A way to a server behind a WebSocket, one message of the protocol in each of the socket's, as `websocketd nagare`
 * speaks.
 *
 * @param {string | URL} url
 * @param {object} options
 * @param {string | string[]} [options.protocols] what the socket asks for as its subprotocol
 * @param {typeof globalThis.WebSocket} [options.WebSocket] the class to use where there is none, or another
 * @returns {import("./types.js").Transport}
 */
export function websocket(url: string | URL, { protocols, WebSocket }?: {
    protocols?: string | string[] | undefined;
    WebSocket?: {
        new (url: string | URL, protocols?: string | string[] | undefined): WebSocket;
        prototype: WebSocket;
        readonly CLOSED: number;
        readonly CLOSING: number;
        readonly CONNECTING: number;
        readonly OPEN: number;
    } | undefined;
}): import("./types.js").Transport;
