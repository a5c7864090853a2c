/** The most rows in a viewport: half of the rows that a window may hold, so that there is room for a margin. */
const MAX_ROWS = 500;

/**
 * Derives the viewport from the rows that a component reads, for components that don't report it. Rows that are read together are
 * reported together, and only if they aren't in the last reported viewport.
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
   * Records that a row was read.
   *
   * @param {number} index
   * @param {number} revision of the list in which the row has this index
   * @returns {boolean} whether the caller must report the viewport by `takeUnreported`
   */
  rowRead(index, revision) {
    const before = this.#read?.revision === revision ? this.#read : null;
    this.#read = { ...extend(before, index), revision };
    if (this.#isDue || contains(this.#reported, index)) return false;
    return (this.#isDue = true);
  }

  /**
   * Returns the viewport to report.
   *
   * @returns {Range & {revision: number} | null}
   */
  takeUnreported() {
    const read = this.#read;
    this.#isDue = false;
    this.#read = null;
    return read && { ...move(this.#reported, read), revision: read.revision };
  }

  /**
   * Records a reported viewport.
   *
   * @param {Range} range
   */
  reported({ start, end }) {
    this.#reported = { start, end };
  }

  /**
   * Whether this was the last reported viewport.
   *
   * @param {Range} range
   */
  isReported({ start, end }) {
    return this.#reported?.start === start && this.#reported.end === end;
  }

  /** Forgets everything, because the window moves by itself. */
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
 * Moves the last viewport by as little as possible to contain some rows.
 *
 * @param {Range | null} reported
 * @param {Range} rows
 * @returns {Range}
 */
function move(reported, { start, end }) {
  const length = reported ? reported.end - reported.start : 0;
  if (!reported || end - start >= length || start > reported.end || end < reported.start) return { start, end };
  if (start < reported.start) return { start, end: start + length };
  return { start: Math.max(reported.start, end - length), end: Math.max(reported.end, end) };
}
