import { SplicedList } from "./lists.js";

/** Where those who watch all outputs stand among them; no output has this name. */
export const ALL_OUTPUTS = "";

/** A view's outputs: what is current, and who wants to know. */
export class Outputs {
  /** @type {Record<string, any>} */
  #values = Object.create(null);
  /** @type {Readonly<Record<string, any>> | null} */
  #current = null;
  /** @type {Map<string, Set<(value: any) => void>>} */
  #callbacks = new Map();

  /** @param {Record<string, any>} outputs what is current, as the server says it */
  constructor(outputs) {
    this.#setAll(outputs);
  }

  /**
   * Whether an output is a state, which always has a current value; else it is an event.
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

  /** All values, in an object that never changes. */
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
    // A function of its own, so that the same callback may come twice.
    const own = (/** @type {any} */ value) => callback(value);
    const callbacks = this.#callbacks.get(output) ?? new Set();
    this.#callbacks.set(output, callbacks.add(own));
    return () => void callbacks.delete(own);
  }

  /**
   * Takes what was said. False if it is a change of something that isn't here: then only all that is current will help.
   *
   * @param {string} output
   * @param {any} said the notification's params
   */
  receive(output, said) {
    if ("splices" in said) {
      const rows = this.#values[output];
      if (!(rows instanceof SplicedList && rows.apply(said))) return false;
    } else if (this.has(output)) {
      this.#set(output, said);
    }
    this.announce(output, said.value);
    return true;
  }

  /**
   * Takes all that is current, and tells everyone.
   *
   * @param {Record<string, any>} outputs
   */
  replace(outputs) {
    this.#setAll(outputs);
    for (const output of Object.keys(outputs)) this.announce(output);
  }

  /**
   * @param {string} output
   * @param {any} [event] its value, if it has no current one
   */
  announce(output, event) {
    this.#current = null;
    const lasting = this.has(output);
    for (const callback of this.#listeners(output)) attempt(callback, lasting ? this.get(output) : event);
    if (lasting) for (const callback of this.#listeners(ALL_OUTPUTS)) attempt(callback, undefined);
  }

  /**
   * As they are now: one that comes or leaves while they are called changes nothing.
   *
   * @param {string} output
   */
  #listeners(output) {
    return [...(this.#callbacks.get(output) ?? [])];
  }

  /** @param {Record<string, any>} outputs */
  #setAll(outputs) {
    for (const [output, said] of Object.entries(outputs)) this.#set(output, said);
    this.#current = null;
  }

  /**
   * @param {string} output
   * @param {any} said
   */
  #set(output, said) {
    this.#values[output] = "revision" in said ? new SplicedList(said) : said.value;
  }
}

/**
 * What a callback throws is its caller's bug, and must not keep others from hearing: it is reported like that of any
 * event.
 *
 * @param {(value: any) => void} callback
 * @param {any} value
 */
function attempt(callback, value) {
  try {
    callback(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
