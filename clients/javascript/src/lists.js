/**
 * A list of any length of which a part is held: the rows in sight, and some around them. It never changes; the next change
 * makes another.
 *
 * @template Item
 */
export class ListWindow {
  /**
   * @param {readonly (Item | null)[]} held the part that is held, with null for each row that isn't read yet
   * @param {number} start the index of its first row in the list
   * @param {number} length how many rows the list has
   * @param {boolean} exact whether that is known, or an estimate
   * @param {number} revision the server's number for this state of the list
   */
  constructor(held, start, length, exact, revision = 0) {
    this.held = held;
    this.start = start;
    this.length = length;
    this.exact = exact;
    this.revision = revision;
    Object.freeze(this);
  }

  /**
   * The row at an index: null if it isn't held or read yet, undefined if the list has none there.
   *
   * @param {number} index less than zero from the end
   * @returns {Item | null | undefined}
   */
  at(index) {
    const place = index < 0 ? index + this.length : index;
    if (place < 0 || place >= this.length) return undefined;
    return this.held[place - this.start] ?? null;
  }

  /**
   * The rows from one index to the one before another.
   *
   * @param {number} start
   * @param {number} end
   * @returns {(Item | null)[]}
   */
  slice(start, end) {
    const [first, last] = [Math.max(0, start), Math.min(this.length, end)];
    return Array.from({ length: Math.max(0, last - first) }, (_, place) => this.at(first + place) ?? null);
  }
}

/**
 * Which part of a list is held; absent where all of it is.
 *
 * @typedef {{start: number, count: number, exact: boolean}} WindowBounds
 */

/**
 * A list that is kept by splices. Whoever reads it gets an array that never changes: it is copied by the next
 * splice, and only if somebody has read it.
 */
export class SplicedList {
  /** @type {any[]} */
  #rows;
  /** @type {number} */
  #revision;
  #isShared = false;
  /** @type {WindowBounds | undefined} */
  #bounds;
  /** @type {ListWindow<any> | undefined} the very same until something changes */
  #window;

  /** @param {{value: any[], revision: number} & Partial<WindowBounds>} said */
  constructor({ value, revision, ...place }) {
    this.#rows = value;
    this.#revision = revision;
    this.#bounds = boundsOf(place);
  }

  /** @returns {readonly any[] | ListWindow<any>} */
  get value() {
    this.#isShared = true;
    const place = this.#bounds;
    if (!place) return this.#rows;
    return (this.#window ??= new ListWindow(this.#rows, place.start, place.count, place.exact, this.#revision));
  }

  /**
   * Makes a change that the server said. False, and nothing has changed, if it isn't a change of this list.
   *
   * @param {{base: number, revision: number, count: number, splices: Splice[]} & Partial<WindowBounds>} change
   * @returns {boolean}
   *
   * @typedef {{start: number, deleteCount: number, items: any[]}} Splice
   */
  apply({ base, revision, count, splices, ...rest }) {
    const place = boundsOf({ count, ...rest });
    if (base !== this.#revision || !fits(splices, this.#rows.length, count, place?.start)) return false;
    for (const splice of splices) this.#splice(splice);
    this.#revision = revision;
    this.#bounds = place;
    this.#window = undefined;
    return true;
  }

  /** @param {Splice} splice */
  #splice({ start, deleteCount, items }) {
    // As arguments, more items than these could overflow the stack.
    if (!this.#isShared && items.length <= 1000) this.#rows.splice(start, deleteCount, ...items);
    // The next page, most of the time: one copy, where a splice of a copy would make two.
    else if (start === this.#rows.length) this.#rows = this.#rows.concat(items);
    else this.#rows = this.#rows.slice(0, start).concat(items, this.#rows.slice(start + deleteCount));
    this.#isShared = false;
  }
}

/**
 * @param {Partial<WindowBounds>} said
 * @returns {WindowBounds | undefined}
 */
function boundsOf({ start, count = 0, exact = false }) {
  return start === undefined ? undefined : { start, count, exact };
}

/**
 * @param {Splice[]} splices
 * @param {number} length
 * @param {number} count
 * @param {number} [start] where a window begins
 */
function fits(splices, length, count, start) {
  for (const { start, deleteCount, items } of splices) {
    if (start < 0 || deleteCount < 0 || start + deleteCount > length) return false;
    length += items.length - deleteCount;
  }
  return start === undefined ? length === count : start + length <= count;
}
