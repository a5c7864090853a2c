/**
 * A list of any length of which a part is held: the visible rows and some around them. It is immutable; a change creates another.
 *
 * @template Item
 */
export class ListWindow {
  /**
   * @param {readonly (Item | null)[]} held the rows that are held; null for a row that isn't loaded
   * @param {number} start the index of the first held row
   * @param {number} length the number of rows in the list
   * @param {boolean} exact whether the length is known; otherwise it is an estimate
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
   * Returns the row at an index: null if it isn't held or loaded, undefined if there is none.
   *
   * @param {number} index negative from the end
   * @returns {Item | null | undefined}
   */
  at(index) {
    const place = index < 0 ? index + this.length : index;
    if (place < 0 || place >= this.length) return undefined;
    return this.held[place - this.start] ?? null;
  }

  /**
   * Returns the rows from `start` to before `end`.
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
 * Which part of a list is held. Absent if it is held entirely.
 *
 * @typedef {{start: number, count: number, exact: boolean}} WindowBounds
 */

/**
 * A list that is changed by splices. A value that was read never changes: the next splice copies it. A value that wasn't read is
 * changed in place.
 */
export class SplicedList {
  /** @type {any[]} */
  #rows;
  /** @type {number} */
  #revision;
  #isShared = false;
  /** @type {WindowBounds | undefined} */
  #bounds;
  /** @type {ListWindow<any> | undefined} the same until something changes */
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
   * Applies a change from the server. Returns false and changes nothing if the change isn't for this state of the list.
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
    // More items as arguments could overflow the stack.
    if (!this.#isShared && items.length <= 1000) this.#rows.splice(start, deleteCount, ...items);
    // Usually the next page. `concat` copies once, a splice of a copy would copy twice.
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
 * Whether splices fit a list of some length and lead to a count.
 *
 * @param {Splice[]} splices
 * @param {number} length
 * @param {number} count
 * @param {number} [start] of the window
 */
function fits(splices, length, count, start) {
  for (const { start, deleteCount, items } of splices) {
    if (start < 0 || deleteCount < 0 || start + deleteCount > length) return false;
    length += items.length - deleteCount;
  }
  return start === undefined ? length === count : start + length <= count;
}
