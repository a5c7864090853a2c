import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { idOf } from "../text/item-display.js";

/**
 * What is listed: all of it, or a window on a long list, which has null where a row isn't read.
 *
 * @typedef {readonly any[] | ListWindow<any>} ListItems
 */

/** @type {ListItems} */
export const NO_ITEMS = [];
/** How a long list is opened: so many rows are held on either side of those in sight. */
export const WINDOW_OPTIONS = { margin: 50 };

/**
 * The rows that are here, one beside the other.
 *
 * @param {ListItems} items
 * @returns {{rows: readonly any[], start: number}} null for one that isn't read; where the first of them is listed
 */
export function heldRows(items) {
  return items instanceof ListWindow ? { rows: items.held, start: items.start } : { rows: items, start: 0 };
}

/**
 * The items that are here.
 *
 * @param {ListItems} items
 * @returns {readonly any[]}
 */
export function loadedItems(items) {
  return items instanceof ListWindow ? items.held.filter((item) => item !== null) : items;
}

/**
 * The item at an index; undefined where there is none, or it isn't here.
 *
 * @param {ListItems} items
 * @param {number} index
 */
export function itemAt(items, index) {
  return index < 0 ? undefined : items.at(index) ?? undefined;
}

/**
 * Where an item is listed; -1 where it isn't, or isn't here.
 *
 * @param {ListItems} items
 * @param {any} id
 * @param {import("../text/item-display.js").Display} [display]
 */
export function indexOfItem(items, id, display) {
  const { rows, start } = heldRows(items);
  const place = rows.findIndex((item) => item !== null && sameId(idOf(item, display), id));
  return place < 0 ? -1 : start + place;
}

/**
 * Whether all rows are here from one index to the one before another.
 *
 * @param {ListItems} items
 * @param {number} start
 * @param {number} end
 */
export function areLoaded(items, start, end) {
  return end <= items.length && items.slice(start, end).every((item) => item !== null);
}

/**
 * Whether a list grows page by page although it was opened with a window: its source can't be asked for any place.
 *
 * @param {ListItems} items
 */
export function growsByPages(items) {
  return items instanceof ListWindow && !items.exact && items.start + items.held.length === items.length && !items.held.includes(null);
}
