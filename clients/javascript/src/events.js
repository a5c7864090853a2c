/** @typedef {import("./types.js").ConnectionState} ConnectionState */

/** Tells the app's `state` as it has become. */
export class StateEvent extends Event {
  /**
   * @param {ConnectionState} state
   * @param {Error | null} error
   */
  constructor(state, error) {
    super("state");
    this.state = state;
    /** Why the connection is gone; null if it isn't, or was closed by `close`. */
    this.error = error;
  }
}

/** Tells, as `lost`, that an open connection has broken: once, and not of tries to connect again. */
export class LostEvent extends Event {
  /** @param {Error | null} error */
  constructor(error) {
    super("lost");
    this.error = error;
  }
}

/** Tells what went wrong and has no caller: a line that is no message, a handler that threw. */
export class WarningEvent extends Event {
  /** @param {unknown} error */
  constructor(error) {
    super("warning");
    this.error = error;
  }
}
