/**
 * Whose connection it is.
 *
 * @typedef {object} Owner
 * @property {() => object} introduction what `initialize` says of this client
 * @property {(server: import("./types.js").Server) => void} greeted
 * @property {(screens: import("./types.js").Screen[]) => void} know
 * @property {(method: string, params: any, signal: AbortSignal) => unknown} serve answers a request of the server
 * @property {(output: string, params: any) => void} hear takes a notification
 * @property {(error: unknown) => void} warn is told what went wrong and concerns no caller
 * @property {(error: import("./errors.js").ConnectionClosedError, ending: boolean) => void} lose is told that there is
 *   no connection any more, before anyone else
 * @property {(event: "lost" | import("./types.js").ConnectionState, error: Error | null) => void} tell tells everyone
 */
/** The way to the server, which may be lost and opened again. */
export class Connection {
    /**
     * @param {import("./types.js").Transport} transport
     * @param {Owner} owner
     */
    constructor(transport: import("./types.js").Transport, owner: Owner);
    /** @type {import("./types.js").ConnectionState} */
    state: import("./types.js").ConnectionState;
    /**
     * Why there is no connection any more.
     *
     * @type {import("./errors.js").ConnectionClosedError | null}
     */
    closed: import("./errors.js").ConnectionClosedError | null;
    /** Whether the server has been told who this is. */
    begun: boolean;
    /** @param {AbortSignal | undefined} signal */
    open(signal: AbortSignal | undefined): Promise<void>;
    close(): Promise<void>;
    /**
     * @template Result
     * @param {string} method
     * @param {object} params
     * @param {import("./peer.js").RequestOptions<Result>} [options]
     * @returns {Promise<Result>}
     */
    request<Result>(method: string, params: object, options?: import("./peer.js").RequestOptions<Result> | undefined): Promise<Result>;
    /**
     * @param {string} method
     * @param {object} params
     */
    notify(method: string, params: object): void;
    /**
     * Says of a view that the oldest request to another has opened it: what a request causes comes before its answer.
     *
     * @param {string} name the other view's
     * @param {import("./types.js").View} opened
     */
    attribute(name: string, opened: import("./types.js").View): void;
    #private;
}
/**
 * Whose connection it is.
 */
export type Owner = {
    /**
     * what `initialize` says of this client
     */
    introduction: () => object;
    greeted: (server: import("./types.js").Server) => void;
    know: (screens: import("./types.js").Screen[]) => void;
    /**
     * answers a request of the server
     */
    serve: (method: string, params: any, signal: AbortSignal) => unknown;
    /**
     * takes a notification
     */
    hear: (output: string, params: any) => void;
    /**
     * is told what went wrong and concerns no caller
     */
    warn: (error: unknown) => void;
    /**
     * is told that there is
     * no connection any more, before anyone else
     */
    lose: (error: import("./errors.js").ConnectionClosedError, ending: boolean) => void;
    /**
     * tells everyone
     */
    tell: (event: "lost" | import("./types.js").ConnectionState, error: Error | null) => void;
};
