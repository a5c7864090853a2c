import { dateFormat } from "./once.js";

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))?$/i;
const TIME = dateFormat({ hour: "2-digit", minute: "2-digit" });
const DAY = dateFormat({ day: "numeric", month: "short" });
const DATE = dateFormat({ day: "numeric", month: "short", year: "numeric" });

/**
 * Whether a value is a day without a time.
 *
 * @param {any} value
 */
export function isDay(value) {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
}

/**
 * Parses a date; null if the value isn't one. A day without a time is midnight in local time. A number counts seconds or milliseconds.
 *
 * @param {any} value
 */
export function dateOf(value) {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const moment = new Date(isDay(value) ? `${value}T00:00` : typeof value === "number" && Math.abs(value) < 1e11 ? value * 1000 : value);
  return isNaN(moment.getTime()) ? null : moment;
}

/** @param {unknown} value */
export function isTimestamp(value) {
  return typeof value === "string" && TIMESTAMP.test(value) && !isNaN(Date.parse(value));
}

/**
 * Formats a date as short as possible: of today only the time, of this year without the year.
 *
 * @param {Date} moment
 * @param {Date} now
 * @param {boolean} [isDay] whether it is a day without a time
 */
export function shortDate(moment, now, isDay = false) {
  if (!isDay && moment.toDateString() === now.toDateString()) return TIME().format(moment);
  return (moment.getFullYear() === now.getFullYear() ? DAY : DATE)().format(moment);
}

/**
 * Formats a day for a heading: “Today”, “Yesterday” or the date.
 *
 * @param {Date} moment
 * @param {Date} now
 */
export function dayName(moment, now) {
  const days = [0, -1].findIndex((ago) => moment.toDateString() === new Date(now.getFullYear(), now.getMonth(), now.getDate() + ago).toDateString());
  return ["Today", "Yesterday"][days] ?? (moment.getFullYear() === now.getFullYear() ? DAY : DATE)().format(moment);
}
