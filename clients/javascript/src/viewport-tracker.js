/** The most rows that are seen together: half of what a window may hold, so that there is a margin, too. */
const MAX_ROWS = 500;

/**
 * The rows of a list that are looked at: what a user sees is a few neighbouring rows, read one after the other. Those that
 * were looked at together are told together, and only where they aren't among those that were told last.
 *
 * @typedef {{start: number, end: number}} Range from `start` to before `end`
 */
export class ViewportTracker {
  /** @type {Range & {revision: number} | null} */
  #read = null;
  /** @type {Range | null} */
  #reported = null;
  #isDue = false;

  /**
   * A row was looked at.
   *
   * @param {number} index
   * @param {number} revision of which state of the list this index is
   * @returns {boolean} whether somebody has to `take` what is to be told, which nobody was to before
   */
  rowRead(index, revision) {
    const before = this.#read?.revision === revision ? this.#read : null;
    this.#read = { ...extend(before, index), revision };
    if (this.#isDue || contains(this.#reported, index)) return false;
    return (this.#isDue = true);
  }

  /**
   * What the server is to be told.
   *
   * @returns {Range & {revision: number} | null}
   */
  takeUnreported() {
    const looked = this.#read;
    this.#isDue = false;
    this.#read = null;
    return looked && { ...move(this.#reported, looked), revision: looked.revision };
  }

  /**
   * The server is told.
   *
   * @param {Range} range
   */
  reported({ start, end }) {
    this.#reported = { start, end };
  }

  /**
   * Whether just this was told last.
   *
   * @param {Range} range
   */
  isReported({ start, end }) {
    return this.#reported?.start === start && this.#reported.end === end;
  }

  /** The window goes elsewhere by itself. */
  reset() {
    this.#read = this.#reported = null;
  }
}

/**
 * @param {Range | null} range
 * @param {number} index
 */
function contains(range, index) {
  return range !== null && index >= range.start && index < range.end;
}

/**
 * @param {Range | null} range
 * @param {number} index
 * @returns {Range}
 */
function extend(range, index) {
  if (!range || index < range.start - MAX_ROWS || index >= range.end + MAX_ROWS) return { start: index, end: index + 1 };
  if (index < range.start) return { start: index, end: Math.min(range.end, index + MAX_ROWS) };
  return { start: Math.max(range.start, index + 1 - MAX_ROWS), end: Math.max(range.end, index + 1) };
}

/**
 * The rows in sight, moved just as far as some have to go that are among them now.
 *
 * @param {Range | null} told
 * @param {Range} rows
 * @returns {Range}
 */
function move(told, { start, end }) {
  const length = told ? told.end - told.start : 0;
  if (!told || end - start >= length || start > told.end || end < told.start) return { start, end };
  if (start < told.start) return { start, end: start + length };
  return { start: Math.max(told.start, end - length), end: Math.max(told.end, end) };
}
