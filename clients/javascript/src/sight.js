/** The most rows that are seen together: half of what a window may hold, so that there is a margin, too. */
const MOST = 500;

/**
 * The rows of a list that are looked at: what a user sees is a few neighbouring rows, read one after the other. Those that
 * were looked at together are told together, and only where they aren't among those that were told last.
 *
 * @typedef {{start: number, end: number}} Range from `start` to before `end`
 */
export class Sight {
  /** @type {Range & {revision: number} | null} */
  #looked = null;
  /** @type {Range | null} */
  #told = null;
  #due = false;

  /**
   * A row was looked at.
   *
   * @param {number} index
   * @param {number} revision of which state of the list this index is
   * @returns {boolean} whether somebody has to `take` what is to be told, which nobody was to before
   */
  look(index, revision) {
    const before = this.#looked?.revision === revision ? this.#looked : null;
    this.#looked = { ...extend(before, index), revision };
    if (this.#due || contains(this.#told, index)) return false;
    return (this.#due = true);
  }

  /**
   * What the server is to be told.
   *
   * @returns {Range & {revision: number} | null}
   */
  take() {
    const looked = this.#looked;
    this.#due = false;
    this.#looked = null;
    return looked && { ...move(this.#told, looked), revision: looked.revision };
  }

  /**
   * The server is told.
   *
   * @param {Range} range
   */
  tell({ start, end }) {
    this.#told = { start, end };
  }

  /**
   * Whether just this was told last.
   *
   * @param {Range} range
   */
  isTold({ start, end }) {
    return this.#told?.start === start && this.#told.end === end;
  }

  /** The window goes elsewhere by itself. */
  forget() {
    this.#looked = this.#told = null;
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
  if (!range || index < range.start - MOST || index >= range.end + MOST) return { start: index, end: index + 1 };
  if (index < range.start) return { start: index, end: Math.min(range.end, index + MOST) };
  return { start: Math.max(range.start, index + 1 - MOST), end: Math.max(range.end, index + 1) };
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
