import { SourceError } from "./errors.js";
import { idKey, stringify } from "./json.js";

/** The error code of a source that can't report the changes since a state. */
const TOO_OLD = -32014;

/**
 * @typedef {import("./types.js").Criteria} Criteria
 * @typedef {import("./types.js").Change} Change
 * @typedef {import("./types.js").WatchContext} WatchContext
 * @typedef {Criteria & {shown: readonly any[], changed: WatchContext["changed"]}} Watch
 */

/**
 * A live source of the app's rows. Lists that show them follow all changes. To change the rows, set `items` to another array; the
 * changes are found by comparing the rows' ids.
 *
 * @template {object} [Row=any]
 */
export class LiveRows {
  /** @type {readonly Row[]} */
  #items = [];
  #state = 0;
  #id;
  #match;
  #signal;
  /** @type {Set<Watch>} */
  #watches = new Set();
  /** @type {number[]} the number of rows before each page, by its key */
  #pages = [];

  /**
   * @param {readonly Row[] | import("./types.js").Signal<Row>} rows
   * @param {import("./types.js").LiveOptions<Row>} options
   */
  constructor(rows, { id = "id", match = matchesQuery } = {}) {
    this.#id = id;
    this.#match = match;
    this.#signal = "subscribe" in rows;
    if ("subscribe" in rows) rows.subscribe((newest) => this.#replace(newest));
    else this.#replace(rows);
  }

  /** The rows. If they come from a signal, they change only with it. */
  get items() {
    return this.#items;
  }

  set items(/** @type {readonly Row[]} */ rows) {
    if (this.#signal) throw new TypeError("These rows come from a signal: change that signal.");
    this.#replace(rows);
  }

  /**
   * @param {Criteria & {key: any, size: number}} request
   * @returns {import("./types.js").SourcePage}
   */
  page({ key, size, ...criteria }) {
    const start = key === null ? 0 : (this.#pages[key] ?? 0);
    const items = [];
    let end = start;
    for (; end < this.#items.length && items.length < size; end += 1) {
      const row = /** @type {Row} */ (this.#items[end]);
      if (this.#match(row, criteria)) items.push(row);
    }
    const { length } = this.#matching(criteria);
    const next = this.#items.slice(end).some((row) => this.#match(row, criteria)) ? this.#pageKey(end) : null;
    return { items, next, total: length, state: String(this.#state) };
  }

  /**
   * @param {Criteria & {since: string | null}} request
   * @param {WatchContext} context
   */
  watch({ since, ...criteria }, { signal, changed }) {
    const state = String(this.#state);
    if (since !== null && since !== state) throw new SourceError("The changes since then aren't known any more.", { code: TOO_OLD });
    const watch = { ...criteria, changed, shown: this.#matching(criteria) };
    this.#watches.add(watch);
    signal.addEventListener("abort", () => this.#watches.delete(watch), { once: true });
    return { state };
  }

  /** @param {{id: import("./types.js").Id}} request */
  item({ id }) {
    return this.#items[this.#indexOf(id)] ?? null;
  }

  /** @param {{item: any, before: import("./types.js").Id | null}} edit */
  insert({ item, before }) {
    const others = this.#items.filter((row) => !this.#has(row, this.#idOf(item)));
    const place = before === null ? 0 : others.findIndex((row) => this.#has(row, before));
    this.items = place < 0 ? [...others, item] : [...others.slice(0, place), item, ...others.slice(place)];
  }

  /** @param {{item: any}} edit */
  change({ item }) {
    this.items = this.#items.map((row) => (this.#has(row, this.#idOf(item)) ? item : row));
  }

  /** @param {{id: import("./types.js").Id}} edit */
  remove({ id }) {
    this.items = this.#items.filter((row) => !this.#has(row, id));
  }

  /** @param {readonly Row[]} rows */
  #replace(rows) {
    const before = this.#items;
    const since = String(this.#state);
    // A copy, so that changes of the given array have no effect.
    this.#items = Object.freeze([...rows]);
    const stays = longestCommonOrder(before, this.#items, (row) => this.#idOf(row));
    // A page continues after the row before it, or after an earlier row if that one was removed or moved.
    this.#pages = this.#pages.map((place) => {
      while (place > 0 && stays(place - 1) === null) place -= 1;
      return place === 0 ? 0 : /** @type {number} */ (stays(place - 1)) + 1;
    });
    this.#state += 1;
    for (const watch of this.#watches) {
      const { shown, changed } = watch;
      watch.shown = this.#matching(watch);
      const changes = changesBetween(shown, watch.shown, (row) => this.#idOf(row));
      changed(changes, { since, state: String(this.#state), total: watch.shown.length });
    }
  }

  /** @param {Criteria} criteria */
  #matching(criteria) {
    return this.#items.filter((row) => this.#match(row, criteria));
  }

  /** @param {number} place */
  #pageKey(place) {
    const key = this.#pages.indexOf(place);
    return key < 0 ? this.#pages.push(place) - 1 : key;
  }

  /** @param {any} row */
  #idOf(row) {
    return row[this.#id];
  }

  /** @param {import("./types.js").Id} id */
  #indexOf(id) {
    return this.#items.findIndex((row) => this.#has(row, id));
  }

  /**
   * @param {Row} row
   * @param {import("./types.js").Id} id
   */
  #has(row, id) {
    return idKey(this.#idOf(row)) === idKey(id);
  }
}

/**
 * Creates a live source over an array, which is changed by setting `items`, or over a signal: anything whose `subscribe` calls back
 * with the current rows and after every change, such as a view's store, a Svelte store, or an RxJS `BehaviorSubject`.
 *
 * @template {object} Row
 * @param {readonly Row[] | import("./types.js").Signal<Row>} rows
 * @param {import("./types.js").LiveOptions<Row>} [options]
 * @returns {LiveRows<Row>}
 * @example
 * const mails = live([{ id: 1, subject: "Hello" }]);
 * app.source("mails", mails);
 * mails.items = [{ id: 2, subject: "Hello again" }, ...mails.items];
 */
export function live(rows, options) {
  return new LiveRows(rows, options);
}

/**
 * Returns the changes that turn one list into another.
 *
 * @param {readonly any[]} before
 * @param {readonly any[]} after
 * @param {(row: any) => any} idOf
 * @returns {Change[]}
 */
export function changesBetween(before, after, idOf) {
  const stays = longestCommonOrder(before, after, idOf);
  const left = new Set(after.map((row) => idKey(idOf(row))));
  /** @type {Change[]} */
  const changes = before.filter((row) => !left.has(idKey(idOf(row)))).map((row) => ({ remove: idOf(row) }));
  const from = new Map(before.map((_, place) => [stays(place), place]));
  // From the end, because a row can only be inserted before a row that is listed already.
  for (let place = after.length - 1; place >= 0; place -= 1) {
    const [row, next] = [after[place], after[place + 1]];
    const was = from.get(place);
    if (was === undefined) changes.push(next === undefined ? { insert: row, at: "end" } : { insert: row, before: idOf(next) });
    else if (before[was] !== row) changes.push({ change: row });
  }
  return changes;
}

/**
 * Finds the longest sequence of rows that have the same order in both lists.
 *
 * @param {readonly any[]} before
 * @param {readonly any[]} after
 * @param {(row: any) => any} idOf
 * @returns {(place: number) => number | null} returns the new index of a row in the sequence, or null
 */
function longestCommonOrder(before, after, idOf) {
  const places = new Map(after.map((row, place) => [idKey(idOf(row)), place]));
  /** @type {{from: number, to: number, behind: any}[]} the last row of the best sequence of each length */
  const ends = [];
  before.forEach((row, from) => {
    const to = places.get(idKey(idOf(row)));
    if (to === undefined) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {{to: number}} */ (ends[middle]).to < to) low = middle + 1;
      else high = middle;
    }
    ends[low] = { from, to, behind: ends[low - 1] };
  });
  const found = new Map();
  for (let end = ends.at(-1); end; end = end.behind) found.set(end.from, end.to);
  return (place) => found.get(place) ?? null;
}

/**
 * Whether the texts of a row contain each word of the query.
 *
 * @param {any} row
 * @param {Criteria} criteria
 */
function matchesQuery(row, { query, filters }) {
  if (filters) throw new SourceError("This source has no filters: give it a function `match`.", { code: -32602 });
  if (query === null) return true;
  const texts = stringify(Object.values(row)).toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => texts.includes(stringify(word).slice(1, -1)));
}
