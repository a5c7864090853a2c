import { dateOf } from "./dates.js";
import { dateFormat, once } from "./once.js";

/**
 * A field of an item as a column, and how it is formatted.
 *
 * @typedef {object} Column
 * @property {string} member its path: `a.b` reaches into objects
 * @property {string} [name]
 * @property {string} [format]
 * @property {string} [currency] an ISO 4217 code
 * @property {"start" | "center" | "end"} [align]
 */

const NUMBER = once(() => new Intl.NumberFormat());
const DATE = dateFormat({ dateStyle: "medium" });
const TIME = dateFormat({ timeStyle: "short" });
const BOTH = dateFormat({ dateStyle: "medium", timeStyle: "short" });
/** @type {Map<string, Intl.NumberFormat>} by currency */
const MONEY = new Map();

/** @type {Record<string, (value: any, column: Column) => string>} */
const FORMATS = {
  number: (value) => NUMBER().format(toNumber(value)),
  boolean: (value) => (toBoolean(value) ? "yes" : "no"),
  date: (value) => formatDate(value, DATE()),
  time: (value) => formatDate(value, TIME()),
  datetime: (value) => formatDate(value, BOTH()),
  money: (value, { currency }) => moneyFormat(currency ?? "").format(toNumber(value)),
  bytes: (value) => formatAmount(Number(toNumber(value)), "bytes"),
  duration: (value) => formatDuration(Number(toNumber(value))),
};

/**
 * Formats a value by the format of its column.
 *
 * @param {any} value
 * @param {Column} column
 * @returns {string | null} null if the column has no format or the value doesn't fit it
 */
export function formatValue(value, column) {
  const format = FORMATS[column.format ?? ""];
  if (!format || value === null || value === undefined || value === "") return null;
  try {
    return format(value, column);
  } catch {
    return null;
  }
}

/**
 * Formats a quantity.
 *
 * @param {number} count
 * @param {string | null} [unit] `bytes`, or the name of the counted things
 */
export function formatAmount(count, unit) {
  if (unit !== "bytes") return [NUMBER().format(count), unit].filter(Boolean).join(" ");
  const step = Math.min(3, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return `${NUMBER().format(Number((count / 1000 ** step).toPrecision(3)))} ${["B", "kB", "MB", "GB"][step]}`;
}

/**
 * @param {any} value
 * @param {Intl.DateTimeFormat} format
 */
function formatDate(value, format) {
  const date = dateOf(value);
  if (!date) throw new RangeError();
  return format.format(date);
}

/** @param {string} currency */
function moneyFormat(currency) {
  const known = MONEY.get(currency) ?? new Intl.NumberFormat([], { style: "currency", currency });
  MONEY.set(currency, known);
  return known;
}

/**
 * Converts a value to a number. Databases may return numbers as texts.
 *
 * @param {any} value
 * @returns {number | bigint}
 */
function toNumber(value) {
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
  if (isNumber) return value;
  if (typeof value !== "string" || !/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) throw new RangeError();
  return Number(value);
}

/** @param {any} value */
function toBoolean(value) {
  if (![true, false, 0, 1].includes(value)) throw new RangeError();
  return value;
}

/**
 * @param {number} seconds
 * @returns {string}
 */
function formatDuration(seconds) {
  if (seconds < 0) return `-${formatDuration(-seconds)}`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
