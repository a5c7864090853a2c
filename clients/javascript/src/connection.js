import { endable, InternalError } from "./errors.js";
import { closedError, Peer } from "./peer.js";

/** The version of the protocol. */
const PROTOCOL = "1";

/**
 * The session that a connection belongs to.
 *
 * @typedef {object} SessionHandler
 * @property {() => object} introduction returns the description of this client for `initialize`
 * @property {(server: import("./types.js").Server) => void} serverReceived
 * @property {(screens: import("./types.js").Screen[]) => void} screensReceived
 * @property {(error: import("./errors.js").ConnectionClosedError, ending: boolean) => void} connectionLost is called first
 * @property {(event: "lost" | import("./types.js").ConnectionState, error: Error | null) => void} stateChanged
 *
 * @typedef {SessionHandler & import("./peer.js").PeerHandler} Owner
 */

/** A connection to the server, which can be lost and opened again. */
export class Connection {
  /** @type {import("./types.js").ConnectionState} */
  state = "closed";
  /**
   * Why there is no connection.
   *
   * @type {import("./errors.js").ConnectionClosedError | null}
   */
  closed = null;
  /** Whether `initialize` was sent. */
  isIntroduced = false;
  /** @type {import("./types.js").Transport} */
  #transport;
  /** @type {Owner} */
  #owner;
  /** @type {Peer} */
  #peer;
  /** Ends the attempt to connect. */
  #opening = new AbortController();
  /** @type {import("./types.js").Link | null} */
  #link = null;
  #ending = false;
  /** @type {Promise<void> | null} */
  #closing = null;

  /**
   * @param {import("./types.js").Transport} transport
   * @param {Owner} owner
   */
  constructor(transport, owner) {
    this.#transport = transport;
    this.#owner = owner;
    this.#peer = new Peer(owner);
  }

  /** @param {AbortSignal | undefined} signal */
  async open(signal) {
    signal?.throwIfAborted();
    const peer = new Peer(this.#owner);
    this.#peer = peer;
    const opening = new AbortController();
    this.#opening = opening;
    const abort = () => opening.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#link = null;
    this.isIntroduced = false;
    this.#ending = false;
    this.#closing = null;
    this.closed = null;
    this.#setState("connecting");
    const events = {
      message: (/** @type {string} */ text) => peer.receive(text),
      close: (/** @type {Error | null} */ error) => this.#lost(peer, error),
      warn: (/** @type {unknown} */ error) => this.#owner.warn(error),
    };
    try {
      const link = await this.#transport.open(events, { signal: opening.signal });
      this.#link = link;
      peer.begin((text) => link.send(text));
      if (this.#ending) await link.close();
    } catch (error) {
      this.#lost(peer, error);
      throw signal?.aborted ? signal.reason : this.closed;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    if (this.closed) throw this.closed;
    this.#setState("open");
  }

  async close() {
    this.#ending = true;
    // A server that can't be reached may keep the transport waiting for minutes.
    if (!this.#link) this.#opening.abort(closedError(null));
    const peer = this.#peer;
    this.#closing ??= this.#link?.close({
      shutdown: async () => void (await peer.request("shutdown", {}).catch(() => {})),
      exit: () => {
        peer.notify("exit", {});
        peer.end(closedError(null));
      },
    }) ?? null;
    await this.#closing;
  }

  /**
   * @template Result
   * @param {string} method
   * @param {object} params
   * @param {import("./peer.js").RequestOptions<Result>} [options]
   * @returns {Promise<Result>}
   */
  request(method, params, options) {
    if (!this.isIntroduced && this.state === "open") this.#introduce();
    if (this.closed) return endable(Promise.reject(this.closed));
    return this.#peer.request(method, params, options);
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    this.#peer.notify(method, params);
  }

  /** Separates the effects of earlier messages from those of later ones: see {@link Peer.separate}. */
  separate() {
    this.#peer.separate();
  }

  /**
   * Records that the oldest request to a view has opened another view. The server sends the effects of a request before its answer.
   * Requests that wait for everything they started don't count. A view that arrives before the answer of a separating request was
   * opened by no request.
   *
   * @param {string} name of the view with the request
   * @param {import("./types.js").View} opened
   */
  attribute(name, opened) {
    const cause = this.#peer.oldest(({ params, separates }) => separates || (params.view === name && !params.wait));
    if (cause) cause.opened = opened;
  }

  /** Sends `initialize`. Nothing waits for the answers, because they come before any other. */
  #introduce() {
    this.isIntroduced = true;
    const peer = this.#peer;
    const link = this.#link;
    const failed = (/** @type {Error} */ error) => {
      this.#lost(peer, error);
      void link?.close();
    };
    const greeted = (/** @type {import("./types.js").Server} */ server) => {
      this.#owner.serverReceived(server);
      peer.limits = server.limits ?? null;
      const { protocolVersion: version } = server;
      if (version === PROTOCOL) return;
      throw new InternalError(`The server speaks version ${version} of the protocol, not ${PROTOCOL}.`);
    };
    const introduction = { protocolVersion: PROTOCOL, ...this.#owner.introduction() };
    peer.request("initialize", introduction, { convert: greeted }).catch(failed);
    peer.request("screens", {}, { convert: ({ screens }) => this.#owner.screensReceived(screens) }).catch(failed);
  }

  /**
   * @param {Peer} peer
   * @param {unknown} reason
   */
  #lost(peer, reason) {
    if (peer !== this.#peer || this.state === "closed") return;
    const ending = this.#ending;
    const error = closedError(ending ? null : reason);
    const broken = this.state === "open" && !ending;
    this.closed = error;
    this.state = "closed";
    peer.end(error);
    this.#owner.connectionLost(error, ending);
    this.#owner.stateChanged("closed", ending ? null : error);
    if (broken) this.#owner.stateChanged("lost", error);
  }

  /** @param {import("./types.js").ConnectionState} state */
  #setState(state) {
    this.state = state;
    this.#owner.stateChanged(state, null);
  }
}
