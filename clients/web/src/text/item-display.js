import { dateOf, isDay, isTimestamp } from "./dates.js";
import { AMOUNTS, LONG_TEXT, PEOPLE, TEXTS, TITLES, UNREAD_VALUES } from "./display-words.js";
import { formatAmount, formatValue } from "./format.js";
import { humanize, isObject, textOf, valueAt } from "./value.js";

/**
 * How items are shown: the screen's `display`. Missing settings are guessed from the items' fields.
 *
 * @typedef {object} Display
 * @property {string} [id] the field that is an item's id. In the screen's description it is next to `display`
 * @property {string} [title] like those below, the path of a field: `a.b` reaches into objects
 * @property {string} [subtitle]
 * @property {string | {member: string, format?: "text" | "markdown" | "html"}} [body]
 * @property {string} [badge]
 * @property {string} [image]
 * @property {string} [date]
 * @property {string} [unread]
 * @property {string[]} [hidden]
 * @property {(string | import("./format.js").Column)[]} [columns]
 * @property {ActionDefinition[]} [actions]
 *
 * What a user can do with an item.
 *
 * @typedef {object} ActionDefinition
 * @property {string} input
 * @property {Record<string, any>} [params] a text that is only `{path}` stands for a field of the item
 * @property {Record<string, any>} [set] for `change`: the new values of the item's fields
 * @property {string} [name]
 * @property {string} [icon] a short text
 * @property {string} [key]
 * @property {string} [confirm] a question to ask first
 * @property {boolean} [undo] whether it can be undone
 * @property {"item" | "many"} [for]
 *
 * The texts that an item is shown with.
 *
 * @typedef {object} ItemDescription
 * @property {string} title
 * @property {string} person who wrote, sells or made it; empty if unknown
 * @property {Date | null} date
 * @property {string} day the date as text if it is a day without a time; otherwise empty
 * @property {string} amount
 * @property {string} badge
 * @property {string} image the URL of a picture
 * @property {Fact[]} facts short values
 * @property {Text[]} texts long values
 * @property {File[]} files attachments
 * @property {boolean | null} unread null if the item has no such field
 *
 * @typedef {{url: string, name?: string | null, type?: string | null, size?: number | null}} File an attachment as in JMAP, with its URL
 * @typedef {[name: string, value: string, column?: import("./format.js").Column]} Fact
 * @typedef {{text: string, format: "text" | "markdown" | "html"}} Text
 *
 * @param {any} item
 * @param {Display} [display]
 * @returns {ItemDescription}
 */
export function describe(item, display = {}) {
  try {
    return describeItem(item, display);
  } catch (error) {
    // An item that can't be shown mustn't prevent the others from being shown.
    return { ...describeItem({}, {}), title: "This item can’t be shown", texts: [{ text: String(error), format: "text" }] };
  }
}

/**
 * @param {any} item
 * @param {Display} display
 * @returns {ItemDescription}
 */
function describeItem(item, display) {
  const members = isObject(item) ? Object.entries(item) : [];
  const find = (/** @type {string[]} */ names, /** @type {string} */ type) =>
    names.find((name) => isObject(item) && typeof item[name] === type && item[name] !== "");
  const titled = display.title ?? find(TITLES, "string");
  const person = display.subtitle ?? find(PEOPLE, "string");
  const amount = display.columns ? undefined : find(AMOUNTS, "number");
  const dated = display.date ?? members.find(([, value]) => isTimestamp(value))?.[0];
  const flag = readFlagOf(item, display);
  const body = typeof display.body === "string" ? { member: display.body } : display.body;
  /** @type {ItemDescription} */
  const words = {
    title: (titled && textOf(valueAt(item, titled))) || textOf(idOf(item, display)),
    person: person ? withoutAddress(textOf(valueAt(item, person))) : "",
    date: dated ? dateOf(valueAt(item, dated)) : null,
    day: dated && isDay(valueAt(item, dated)) ? valueAt(item, dated) : "",
    amount: amount ? formatAmount(item[amount]) : "",
    badge: display.badge ? textOf(valueAt(item, display.badge)) : "",
    image: display.image ? textOf(valueAt(item, display.image)) : "",
    facts: [],
    texts: [],
    files: [],
    unread: flag === undefined ? null : Boolean(valueAt(item, flag)) === unreadValueOf(flag),
  };
  if (body) words.texts.push({ text: textOf(valueAt(item, body.member)), format: body.format ?? "text" });
  const shown = [titled, person, amount, dated, flag, body?.member, display.badge, display.image];
  for (const column of columnsOf(display)) {
    if (shown.includes(column.member)) continue;
    const value = valueAt(item, column.member);
    const written = formatValue(value, column) ?? textOf(value);
    if (written !== "") words.facts.push([column.name ?? column.member, written, column]);
  }
  const listed = [...shown, ...columnsOf(display).map(({ member }) => member), ...(display.hidden ?? [])];
  const used = new Set([display.id ?? "id", ...listed.map((path) => path?.split(".")[0])]);
  for (const [name, value] of members) {
    const attached = used.has(name) ? [] : filesIn(value);
    words.files.push(...attached);
    // Elements of an attachment list that aren't attachments are shown like other values.
    const left = attached.length > 0 ? value.filter((/** @type {any} */ one) => !attached.includes(one)) : value;
    const written = used.has(name) ? "" : textOf(left);
    const reading = written.length > LONG_TEXT || written.includes("\n") || (TEXTS.includes(name) && written !== "");
    if (reading) words.texts.push({ text: written, format: "text" });
    else if (written !== "") words.facts.push([name, written]);
  }
  return words;
}

/**
 * Returns the attachments in a list, in which one must have a name, type or size besides its URL.
 *
 * @param {any} value
 * @returns {File[]}
 */
function filesIn(value) {
  if (!Array.isArray(value)) return [];
  const files = value.filter((one) => isObject(one) && typeof one["url"] === "string");
  return files.some((one) => ["name", "type", "size"].some((member) => member in one)) ? files : [];
}

/**
 * Returns the columns of a screen's `display`.
 *
 * @param {Display} display
 * @returns {import("./format.js").Column[]}
 */
function columnsOf({ columns = [] }) {
  return columns.map((column) => (typeof column === "string" ? { member: column } : column));
}

/**
 * Returns the item as it is after it was read; null if nothing changes.
 *
 * @param {any} item
 * @param {Display} [display]
 */
export function asRead(item, display = {}) {
  const flag = readFlagOf(item, display);
  if (flag === undefined || Boolean(valueAt(item, flag)) !== unreadValueOf(flag)) return null;
  const read = !valueAt(item, flag);
  // A table may store booleans as numbers.
  return withMember(item, flag, typeof valueAt(item, flag) === "number" ? Number(read) : read);
}

/**
 * Returns the item with another value at a path.
 *
 * @param {any} item
 * @param {string} path
 * @param {any} value
 * @returns {any}
 */
function withMember(item, path, value) {
  const [name = "", ...rest] = path.split(".");
  return { ...item, [name]: rest.length > 0 ? withMember(item[name], rest.join("."), value) : value };
}

/**
 * Returns the value that a field has while the item is unread.
 *
 * @param {string} flag
 */
function unreadValueOf(flag) {
  return UNREAD_VALUES.get(flag) ?? true;
}

/**
 * @param {any} item
 * @param {Display} display
 */
function readFlagOf(item, { unread }) {
  const tells = (/** @type {unknown} */ value) => typeof value === "boolean" || value === 0 || value === 1;
  if (unread) return tells(valueAt(item, unread)) ? unread : undefined;
  return [...UNREAD_VALUES.keys()].find((name) => isObject(item) && tells(item[name]));
}

/**
 * Returns the text that names an item, or any other value, in a sentence.
 *
 * @param {any} value
 * @param {Display} [display]
 */
export function titleOf(value, display) {
  return isObject(value) ? describe(value, display).title : textOf(value);
}

/**
 * Joins facts into one line. The most important come first, because the end may be cut off: money, then texts, then other numbers,
 * then URLs. Numbers and Booleans are preceded by their names; a suffix `count` is omitted from these.
 *
 * @param {Fact[]} facts
 */
export function joinFacts(facts) {
  const bare = /^(yes|no|-?[\d.,]+)$/;
  const called = (/** @type {Fact} */ [name, , column]) => column?.name ?? labelOf(name, column).toLowerCase().replace(/(?<=.) count$/, "");
  const rank = (/** @type {Fact} */ [, value, column]) => (/^https?:/.test(value) ? 3 : column?.format === "money" ? 0 : column?.format || column?.align ? 2 : 1);
  // The amount of money shows its currency already.
  const currencies = facts.map(([, , column]) => column?.currency);
  const sorted = facts.filter(([, value]) => !currencies.includes(value)).sort((one, other) => rank(one) - rank(other));
  return sorted.map((fact) => (bare.test(fact[1]) ? `${called(fact)} ${fact[1]}` : fact[1])).join(" · ");
}

/**
 * Returns the label of a fact: the name of its column, or the last part of its path.
 *
 * @param {string} name
 * @param {import("./format.js").Column} [column]
 */
export function labelOf(name, column) {
  return column ? column.name ?? humanize(column.member.split(".").at(-1) ?? "") : humanize(name);
}

/**
 * Returns an item's id: the field that the screen names, or `id`, or the first field whose name ends in "id", or the first field. A text is its own id.
 *
 * @param {any} item
 * @param {Display} [display]
 * @returns {any}
 */
export function idOf(item, display = {}) {
  if (!isObject(item)) return item;
  if (display.id !== undefined && display.id in item) return item[display.id];
  const names = Object.keys(item);
  const name = "id" in item ? "id" : names.find((name) => /id$/i.test(name)) ?? names[0];
  return name === undefined ? undefined : item[name];
}

/**
 * Returns a noun for items: `message` if they have an author and a text, otherwise `item`.
 *
 * @param {any} item one of them
 * @param {number} count
 * @param {Display} [display]
 */
export function nounOf(item, count, display) {
  const { person, texts } = describe(item, display);
  const noun = person && texts.length > 0 ? "message" : "item";
  return count === 1 ? noun : `${noun}s`;
}

/**
 * Removes the mail address from a person's name.
 *
 * @param {string} name
 */
function withoutAddress(name) {
  const start = name.lastIndexOf("<");
  // A single pattern would search again from each space, which takes quadratic time.
  return (start >= 0 && /^<[^<>\s@]+@[^<>\s]+>$/.test(name.slice(start)) && name.slice(0, start).trimEnd()) || name;
}

