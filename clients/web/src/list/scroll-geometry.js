/**
 * The height in pixels up to which every browser lays out an element exactly. Of a longer list, only the part around the visible
 * rows is laid out.
 */
export const MAX_PIXELS = 15_000_000;

/**
 * Computes which rows are visible and which are drawn.
 *
 * @typedef {object} VisibleRows
 * @property {number} start the first visible row
 * @property {number} end the row after the last visible one
 * @property {number} first the first row to draw
 * @property {number} last the row after the last to draw
 *
 * @param {object} list
 * @param {number} list.top the scroll position in pixels
 * @param {number} list.height of the visible part
 * @param {number} list.row the height of a row
 * @param {number} list.count
 * @param {number} [list.spare] rows to draw above and below
 * @returns {VisibleRows}
 */
export function visibleRows({ top, height, row, count, spare = 6 }) {
  // Browsers let users pull a list beyond its ends.
  const place = Math.max(0, Math.min(top, count * row - height));
  const start = Math.min(count, Math.floor(place / row));
  const end = Math.min(count, Math.ceil((place + height) / row));
  return { start, end, first: Math.max(0, start - spare), last: Math.min(count, end + spare) };
}

/**
 * Returns where a scroll position of the list is in the part that is laid out: equally far from the beginning or the end of the
 * list, otherwise in the middle, so that there is room to scroll in both directions.
 *
 * @param {number} top in pixels of the list
 * @param {number} full the height of the list
 * @returns {number} in pixels of the part
 */
export function layoutOffset(top, full) {
  const middle = MAX_PIXELS / 2;
  if (full <= MAX_PIXELS || top < middle) return top;
  return full - top < middle ? MAX_PIXELS - (full - top) : middle;
}

/**
 * Returns the nearest scroll position at which a row is entirely visible.
 *
 * @param {number} index
 * @param {{top: number, height: number, row: number}} list
 * @returns {number}
 */
export function topToReveal(index, { top, height, row }) {
  if (index * row < top) return index * row;
  return Math.max(top, (index + 1) * row - height);
}
