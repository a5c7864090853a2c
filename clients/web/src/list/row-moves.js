import { idKey, ListWindow } from "../../../javascript/src/index.js";
import { idOf } from "../text/item-display.js";
import { heldRows } from "./items.js";

/**
 * @typedef {import("./items.js").ListItems} Listed
 * @typedef {import("../text/item-display.js").Display} Display
 */

/**
 * Maps the indexes of one list to those of another. Lists that are changed by splices share most of their row objects, so only the
 * rows between the first and the last difference are compared by id.
 *
 * @param {Listed} before
 * @param {Listed} after
 * @param {Display} [display]
 * @returns {(index: number) => number | null} returns the index in `after` of the row at an index in `before`; null if it is gone
 */
export function indexMap(before, after, display) {
  if (before instanceof ListWindow || after instanceof ListWindow) return windowIndexMap(before, after, display);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  /** @type {Map<string | undefined, number> | undefined} */
  let between;
  return (index) => {
    if (index < start) return index;
    if (index >= before.length) return null;
    if (index >= before.length - end) return index + after.length - before.length;
    between ??= new Map(after.slice(start, after.length - end).map((item, place) => [idKey(idOf(item, display)), start + place]));
    return between.get(idKey(idOf(before[index], display))) ?? null;
  };
}

/**
 * Does the same for windows on long lists. Rows that aren't held are assumed to move with the others.
 *
 * @param {Listed} before
 * @param {Listed} after
 * @param {Display} [display]
 * @returns {(index: number) => number | null}
 */
function windowIndexMap(before, after, display) {
  const [was, is] = [heldRows(before), heldRows(after)];
  const known = new Map(is.rows.map((item, place) => [item === null ? null : idKey(idOf(item, display)), is.start + place]));
  const there = (/** @type {number} */ index) => {
    const item = was.rows[index - was.start] ?? null;
    return item === null ? null : known.get(idKey(idOf(item, display))) ?? null;
  };
  const shift = commonShift(there, was.start, was.start + was.rows.length);
  return (index) => {
    const place = there(index);
    if (place !== null) return place;
    const other = is.rows[index + shift - is.start] ?? null;
    // Another row is held at this position, so this one is gone.
    return (was.rows[index - was.start] ?? null) === null || other === null ? index + shift : null;
  };
}

/**
 * Returns by how much most rows from `start` to before `end` have moved. A row that moved by itself doesn't count.
 *
 * @param {(index: number) => number | null} places
 * @param {number} start
 * @param {number} end
 */
export function commonShift(places, start, end) {
  /** @type {Map<number, number>} */
  const votes = new Map();
  let shift = 0;
  for (let index = start; index < end; index += 1) {
    const place = places(index);
    if (place === null) continue;
    const count = (votes.get(place - index) ?? 0) + 1;
    votes.set(place - index, count);
    if (count > (votes.get(shift) ?? 0)) shift = place - index;
  }
  return shift;
}
