/**
 * The highest element that every browser lays out exactly. In a longer list a pixel of the scrollbar stands for more
 * than one of the list.
 */
export const MOST_PIXELS = 15_000_000;

/**
 * Which rows of a long list are to be drawn, and where.
 *
 * @typedef {object} Window
 * @property {number} extent the height of what is scrolled, in pixels
 * @property {number} start the first row in sight
 * @property {number} end the row after the last in sight
 * @property {number} first the first row to draw
 * @property {number} last the row after the last to draw
 * @property {number} shift what is added to a row's place in the list to have its place in what is scrolled
 *
 * @param {object} list
 * @param {number} list.top how far it is scrolled, in pixels
 * @param {number} list.height of what is in sight
 * @param {number} list.row a row's height
 * @param {number} list.count
 * @param {number} [list.spare] rows to draw above and below
 * @returns {Window}
 */
export function windowOf({ top, height, row, count, spare = 6 }) {
  const full = count * row;
  const extent = Math.min(full, MOST_PIXELS);
  // A browser lets a list be pulled beyond its ends.
  const scrolled = Math.max(0, Math.min(top, extent - height));
  const place = extent < full ? (scrolled * (full - height)) / (extent - height) : scrolled;
  const start = Math.min(count, Math.floor(place / row));
  const end = Math.min(count, Math.ceil((place + height) / row));
  return {
    extent,
    start,
    end,
    first: Math.max(0, start - spare),
    last: Math.min(count, end + spare),
    shift: scrolled - place,
  };
}

/**
 * How far to scroll so that a row is wholly in sight, and no further than that.
 *
 * @param {number} index
 * @param {{top: number, height: number, row: number, count: number}} list
 * @returns {number}
 */
export function reveal(index, { top, height, row, count }) {
  const full = count * row;
  const extent = Math.min(full, MOST_PIXELS);
  const scale = extent < full ? (full - height) / (extent - height) : 1;
  const place = top * scale;
  if (index * row < place) return (index * row) / scale;
  if ((index + 1) * row > place + height) return ((index + 1) * row - height) / scale;
  return top;
}
