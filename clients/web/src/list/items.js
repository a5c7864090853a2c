import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { idOf } from "../text/item-display.js";

/**
 * The items of a list: all of them, or a window on a long list, in which rows that aren't loaded are null.
 *
 * @typedef {readonly any[] | ListWindow<any>} ListItems
 */

/** @type {ListItems} */
export const NO_ITEMS = [];
/** The parameters that open a list with a window: how many rows are held on each side of the visible ones. */
export const WINDOW_OPTIONS = { margin: 50 };

/**
 * Returns the neighboring rows that are held.
 *
 * @param {ListItems} items
 * @returns {{rows: readonly any[], start: number}} null for a row that isn't loaded; the index of the first
 */
export function heldRows(items) {
  return items instanceof ListWindow ? { rows: items.held, start: items.start } : { rows: items, start: 0 };
}

/**
 * Returns the loaded items.
 *
 * @param {ListItems} items
 * @returns {readonly any[]}
 */
export function loadedItems(items) {
  return items instanceof ListWindow ? items.held.filter((item) => item !== null) : items;
}

/**
 * Returns the item at an index; undefined if there is none or it isn't loaded.
 *
 * @param {ListItems} items
 * @param {number} index
 */
export function itemAt(items, index) {
  return index < 0 ? undefined : items.at(index) ?? undefined;
}

/**
 * Returns the index of an item; -1 if it isn't listed or not held.
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
 * Whether all rows from `start` to before `end` are loaded.
 *
 * @param {ListItems} items
 * @param {number} start
 * @param {number} end
 */
export function areLoaded(items, start, end) {
  return end <= items.length && items.slice(start, end).every((item) => item !== null);
}

/**
 * Whether a list that was opened with a window grows page by page, because its source has no positions.
 *
 * @param {ListItems} items
 */
export function growsByPages(items) {
  return items instanceof ListWindow && !items.exact && items.start + items.held.length === items.length && !items.held.includes(null);
}
