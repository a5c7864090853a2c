/**
 * A queue of values for an async iterator.
 *
 * @template Value
 * @implements {AsyncIterableIterator<Value>}
 */
export class Channel {
  /** @type {Value[]} */
  #values = [];
  /** @type {{resolve: (result: IteratorResult<Value, undefined>) => void, reject: (error: unknown) => void}[]} */
  #readers = [];
  /** @type {{error?: unknown} | null} */
  #end = null;
  /** @type {boolean} */
  #latest;
  /** @type {() => void} */
  #released;

  /**
   * @param {{latest: boolean, released: () => void}} options with `latest`, a value that wasn't read is replaced by a newer one;
   *   `released` is called once, when nothing will be read any more
   */
  constructor({ latest, released }) {
    this.#latest = latest;
    this.#released = released;
  }

  /** @param {Value} value */
  push(value) {
    if (this.#end) return;
    const taker = this.#readers.shift();
    if (taker) return taker.resolve({ done: false, value });
    if (this.#latest) this.#values.length = 0;
    this.#values.push(value);
  }

  /**
   * Ends the iteration after the queued values, or with an error.
   *
   * @param {{error?: unknown}} [end]
   */
  end(end = {}) {
    if (this.#end) return;
    this.#end = end;
    this.#released();
    for (const taker of this.#readers.splice(0)) this.#finish(taker);
  }

  /** @returns {Promise<IteratorResult<Value, undefined>>} */
  next() {
    /** @type {Promise<IteratorResult<Value, undefined>>} */
    const result = new Promise((resolve, reject) => {
      if (this.#values.length > 0) resolve({ done: false, value: /** @type {Value} */ (this.#values.shift()) });
      else if (this.#end) this.#finish({ resolve, reject });
      else this.#readers.push({ resolve, reject });
    });
    // The only error is the end of the iteration, so callers needn't await this.
    result.catch(() => {});
    return result;
  }

  /** @returns {Promise<IteratorResult<Value, undefined>>} */
  async return() {
    this.#values.length = 0;
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @param {{resolve: (result: IteratorResult<Value, undefined>) => void, reject: (error: unknown) => void}} taker */
  #finish({ resolve, reject }) {
    const end = this.#end ?? {};
    // An error is thrown once. After that the iteration is over, as with a generator.
    this.#end = {};
    if ("error" in end) reject(end.error);
    else resolve({ done: true, value: undefined });
  }
}
