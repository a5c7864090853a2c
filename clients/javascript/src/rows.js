/**
 * A list that is kept by splices. Whoever reads it gets an array that never changes: it is copied by the next
 * splice, and only if somebody has read it.
 */
export class Rows {
  /** @type {any[]} */
  #rows;
  /** @type {number} */
  #revision;
  #read = false;

  /**
   * @param {any[]} rows
   * @param {number} revision
   */
  constructor(rows, revision) {
    this.#rows = rows;
    this.#revision = revision;
  }

  /** @returns {readonly any[]} */
  get array() {
    this.#read = true;
    return this.#rows;
  }

  /**
   * Makes a change that the server said. False, and nothing has changed, if it isn't a change of this list.
   *
   * @param {{base: number, revision: number, count: number, splices: Splice[]}} change
   * @returns {boolean}
   *
   * @typedef {{start: number, deleteCount: number, items: any[]}} Splice
   */
  apply({ base, revision, count, splices }) {
    if (base !== this.#revision || !fits(splices, this.#rows.length, count)) return false;
    for (const splice of splices) this.#splice(splice);
    this.#revision = revision;
    return true;
  }

  /** @param {Splice} splice */
  #splice({ start, deleteCount, items }) {
    // As arguments, more items than these could overflow the stack.
    if (!this.#read && items.length <= 1000) this.#rows.splice(start, deleteCount, ...items);
    // The next page, most of the time: one copy, where a splice of a copy would make two.
    else if (start === this.#rows.length) this.#rows = this.#rows.concat(items);
    else this.#rows = this.#rows.slice(0, start).concat(items, this.#rows.slice(start + deleteCount));
    this.#read = false;
  }
}

/**
 * @param {Splice[]} splices
 * @param {number} length
 * @param {number} count
 */
function fits(splices, length, count) {
  for (const { start, deleteCount, items } of splices) {
    if (start < 0 || deleteCount < 0 || start + deleteCount > length) return false;
    length += items.length - deleteCount;
  }
  return length === count;
}
