/** @typedef {import("./types.js").ConnectionState} ConnectionState */
/** Tells the app's `state` as it has become. */
export class StateEvent extends Event {
    /**
     * @param {ConnectionState} state
     * @param {Error | null} error
     */
    constructor(state: ConnectionState, error: Error | null);
    state: import("./types.js").ConnectionState;
    /** Why the connection is gone; null if it isn't, or was closed by `close`. */
    error: Error | null;
}
/** Tells, as `lost`, that an open connection has broken: once, and not of tries to connect again. */
export class LostEvent extends Event {
    /** @param {Error | null} error */
    constructor(error: Error | null);
    error: Error | null;
}
/** Tells what went wrong and has no caller: a line that is no message, a handler that threw. */
export class WarningEvent extends Event {
    /** @param {unknown} error */
    constructor(error: unknown);
    error: unknown;
}
export type ConnectionState = import("./types.js").ConnectionState;
