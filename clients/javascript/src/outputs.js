import { SplicedList } from "./lists.js";

/** The name under which subscriptions to all outputs are kept. No output has it. */
export const ALL_OUTPUTS = "";

/** The current values of a view's outputs, and their subscriptions. */
export class Outputs {
  /** @type {Record<string, any>} */
  #values = Object.create(null);
  /** @type {Readonly<Record<string, any>> | null} */
  #current = null;
  /** @type {Map<string, Set<(value: any) => unknown>>} */
  #callbacks = new Map();

  /** @type {(error: unknown) => void} */
  #report;

  /**
   * @param {Record<string, any>} outputs the current values, as the server sends them
   * @param {(error: unknown) => void} report receives the errors of callbacks
   */
  constructor(outputs, report) {
    this.#report = report;
    this.#setAll(outputs);
  }

  /**
   * Whether an output is a state. States always have a current value, events don't.
   *
   * @param {string} output
   */
  has(output) {
    return output in this.#values;
  }

  /**
   * @param {string} output
   * @returns {any}
   */
  get(output) {
    const value = this.#values[output];
    return value instanceof SplicedList ? value.value : value;
  }

  /** All values, in an immutable object. */
  get current() {
    const entries = () => Object.keys(this.#values).map((name) => [name, this.get(name)]);
    return (this.#current ??= Object.freeze(Object.fromEntries(entries())));
  }

  /**
   * @param {string} output
   * @param {(value: any) => void} callback
   * @returns {() => void}
   */
  subscribe(output, callback) {
    // A new function, so that the same callback can be subscribed twice.
    const own = (/** @type {any} */ value) => callback(value);
    const callbacks = this.#callbacks.get(output) ?? new Set();
    this.#callbacks.set(output, callbacks.add(own));
    return () => void callbacks.delete(own);
  }

  /**
   * Applies an output from the server. Returns false if it is a change of an unknown state; then all values must be requested.
   *
   * @param {string} output
   * @param {any} params the params of the notification
   */
  receive(output, params) {
    if ("splices" in params) {
      const rows = this.#values[output];
      if (!(rows instanceof SplicedList && rows.apply(params))) return false;
    } else if (this.has(output)) {
      this.#set(output, params);
    }
    this.announce(output, params.value);
    return true;
  }

  /**
   * Replaces all values and calls all subscribers.
   *
   * @param {Record<string, any>} outputs
   */
  replace(outputs) {
    this.#setAll(outputs);
    for (const output of Object.keys(outputs)) this.announce(output);
  }

  /**
   * @param {string} output
   * @param {any} [event] the value of an event
   */
  announce(output, event) {
    this.#current = null;
    const lasting = this.has(output);
    for (const callback of this.#listeners(output)) this.#attempt(callback, lasting ? this.get(output) : event);
    if (lasting) for (const callback of this.#listeners(ALL_OUTPUTS)) this.#attempt(callback, undefined);
  }

  /**
   * Calls a callback. If it throws, or returns a promise that is rejected, the error is reported, and the other callbacks are still
   * called.
   *
   * @param {(value: any) => unknown} callback
   * @param {any} value
   */
  #attempt(callback, value) {
    try {
      const returned = callback(value);
      if (returned instanceof Promise) returned.catch(this.#report);
    } catch (error) {
      this.#report(error);
    }
  }

  /**
   * Returns a copy of the callbacks, so that subscribing and unsubscribing in a callback has no effect on this call.
   *
   * @param {string} output
   */
  #listeners(output) {
    return [...(this.#callbacks.get(output) ?? [])];
  }

  /** @param {Record<string, any>} outputs */
  #setAll(outputs) {
    for (const [output, params] of Object.entries(outputs)) this.#set(output, params);
    this.#current = null;
  }

  /**
   * @param {string} output
   * @param {any} params
   */
  #set(output, params) {
    this.#values[output] = "revision" in params ? new SplicedList(params) : params.value;
  }
}
