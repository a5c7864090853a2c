/** @typedef {import("./types.js").ConnectionState} ConnectionState */

/** Reports that the app's `state` has changed. */
export class StateEvent extends Event {
  /**
   * @param {ConnectionState} state
   * @param {Error | null} error
   */
  constructor(state, error) {
    super("state");
    this.state = state;
    /** Why the connection is lost; null if it isn't, or was closed by `close`. */
    this.error = error;
  }
}

/** Reports, as `lost`, that an open connection has broken. It is fired once, and not for failed attempts to reconnect. */
export class LostEvent extends Event {
  /** @param {Error | null} error */
  constructor(error) {
    super("lost");
    this.error = error;
  }
}

/**
 * Reports an error that concerns no caller: a message that can't be parsed, or a handler that threw. An error of a callback is
 * also printed, unless a listener calls `preventDefault`.
 */
export class WarningEvent extends Event {
  /** @param {unknown} error */
  constructor(error) {
    super("warning", { cancelable: true });
    this.error = error;
  }
}
