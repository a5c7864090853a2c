import { stringify } from "../../javascript/src/index.js";
import { identity } from "./words.js";

/**
 * Where the rows of one list stand in another. Lists that are kept by splices have most of their rows in common, the
 * very same objects: only what lies between these is looked at.
 *
 * @param {readonly any[]} before
 * @param {readonly any[]} after
 * @returns {(index: number) => number | null} the place in `after` of the row that stands at `index` in `before`; null
 *   where it is gone
 */
export function placesIn(before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  /** @type {Map<string, number> | undefined} */
  let between;
  return (index) => {
    if (index < start) return index;
    if (index >= before.length) return null;
    if (index >= before.length - end) return index + after.length - before.length;
    between ??= new Map(after.slice(start, after.length - end).map((item, place) => [keyOf(item), start + place]));
    return between.get(keyOf(before[index])) ?? null;
  };
}

/**
 * How far the rows from `start` on have moved, most of them: one that was moved by itself doesn't take the others along.
 *
 * @param {(index: number) => number | null} places
 * @param {number} start
 * @param {number} end
 */
export function shiftOf(places, start, end) {
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

/** @param {any} item */
function keyOf(item) {
  return stringify(identity(item));
}
