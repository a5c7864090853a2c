/**
 * The highest element that every browser lays out exactly. Of a longer list only a part is laid out at a time, around what
 * is in sight.
 */
export const MAX_PIXELS = 15_000_000;

/**
 * Which rows of a long list are to be drawn.
 *
 * @typedef {object} VisibleRows
 * @property {number} start the first row in sight
 * @property {number} end the row after the last in sight
 * @property {number} first the first row to draw
 * @property {number} last the row after the last to draw
 *
 * @param {object} list
 * @param {number} list.top how far it is scrolled, in pixels
 * @param {number} list.height of what is in sight
 * @param {number} list.row a row's height
 * @param {number} list.count
 * @param {number} [list.spare] rows to draw above and below
 * @returns {VisibleRows}
 */
export function visibleRows({ top, height, row, count, spare = 6 }) {
  // A browser lets a list be pulled beyond its ends.
  const place = Math.max(0, Math.min(top, count * row - height));
  const start = Math.min(count, Math.floor(place / row));
  const end = Math.min(count, Math.ceil((place + height) / row));
  return { start, end, first: Math.max(0, start - spare), last: Math.min(count, end + spare) };
}

/**
 * Where in what is laid out of a list that part stands which is in sight: as far from the list's own beginning, or end, as
 * it is there, and else in the middle, so that there is room to scroll either way.
 *
 * @param {number} top in pixels of the list
 * @param {number} full the list's height
 * @returns {number} in pixels of what is laid out
 */
export function layoutOffset(top, full) {
  const middle = MAX_PIXELS / 2;
  if (full <= MAX_PIXELS || top < middle) return top;
  return full - top < middle ? MAX_PIXELS - (full - top) : middle;
}

/**
 * How far to scroll so that a row is wholly in sight, and no further than that.
 *
 * @param {number} index
 * @param {{top: number, height: number, row: number}} list
 * @returns {number}
 */
export function topToReveal(index, { top, height, row }) {
  if (index * row < top) return index * row;
  return Math.max(top, (index + 1) * row - height);
}
