import { dateOf, isDay, isTimestamp } from "./dates.js";
import { AMOUNTS, LONG_TEXT, PEOPLE, TEXTS, TITLES, UNREAD_VALUES } from "./display-words.js";
import { formatAmount, formatValue } from "./format.js";
import { humanize, isObject, textOf, valueAt } from "./value.js";

/**
 * What a screen's `display` says of its items; what it leaves out is guessed.
 *
 * @typedef {object} Display
 * @property {string} [id] the member that is an item's id, as the screen says beside its `display`
 * @property {string} [title] here and below a member's path: `a.b` reaches into objects
 * @property {string} [subtitle]
 * @property {string | {member: string, format?: "text" | "markdown" | "html"}} [body]
 * @property {string} [badge]
 * @property {string} [image]
 * @property {string} [date]
 * @property {string} [unread]
 * @property {string[]} [hidden]
 * @property {(string | import("./format.js").Column)[]} [columns]
 * @property {import("../actions/action.js").ActionDefinition[]} [actions]
 *
 * What is to be said of an item.
 *
 * @typedef {object} ItemDescription
 * @property {string} title
 * @property {string} person who wrote, sells or made it; empty if nobody is named
 * @property {Date | null} date
 * @property {string} day the same where that is a day without a time, or else empty
 * @property {string} amount
 * @property {string} badge
 * @property {string} image a picture's address
 * @property {Fact[]} facts what is short
 * @property {Text[]} texts what is long
 * @property {File[]} files what is attached
 * @property {boolean | null} unread null if the item doesn't say
 *
 * @typedef {{url: string, name?: string | null, type?: string | null, size?: number | null}} File as JMAP has attachments, with their addresses
 * @typedef {[name: string, value: string, column?: import("./format.js").Column]} Fact
 * @typedef {{text: string, format: "text" | "markdown" | "html"}} Text
 *
 * @param {any} item
 * @param {Display} [said]
 * @returns {ItemDescription}
 */
export function describe(item, said = {}) {
  try {
    return describeItem(item, said);
  } catch (error) {
    // One item that can't be shown takes no other with it.
    const words = { title: "This item can’t be shown", person: "", date: null, day: "", amount: "", badge: "", image: "", facts: [], files: [], unread: null };
    return { ...words, texts: [{ text: String(error), format: "text" }] };
  }
}

/**
 * @param {any} item
 * @param {Display} said
 * @returns {ItemDescription}
 */
function describeItem(item, said) {
  const members = isObject(item) ? Object.entries(item) : [];
  const find = (/** @type {string[]} */ names, /** @type {string} */ type) =>
    names.find((name) => isObject(item) && typeof item[name] === type && item[name] !== "");
  const titled = said.title ?? find(TITLES, "string");
  const person = said.subtitle ?? find(PEOPLE, "string");
  const amount = said.columns ? undefined : find(AMOUNTS, "number");
  const dated = said.date ?? members.find(([, value]) => isTimestamp(value))?.[0];
  const flag = readFlagOf(item, said);
  const body = typeof said.body === "string" ? { member: said.body } : said.body;
  /** @type {ItemDescription} */
  const words = {
    title: (titled && textOf(valueAt(item, titled))) || textOf(idOf(item, said)),
    person: person ? withoutAddress(textOf(valueAt(item, person))) : "",
    date: dated ? dateOf(valueAt(item, dated)) : null,
    day: dated && isDay(valueAt(item, dated)) ? valueAt(item, dated) : "",
    amount: amount ? formatAmount(item[amount]) : "",
    badge: said.badge ? textOf(valueAt(item, said.badge)) : "",
    image: said.image ? textOf(valueAt(item, said.image)) : "",
    facts: [],
    texts: [],
    files: [],
    unread: flag === undefined ? null : Boolean(valueAt(item, flag)) === unreadValueOf(flag),
  };
  if (body) words.texts.push({ text: textOf(valueAt(item, body.member)), format: body.format ?? "text" });
  const shown = [titled, person, amount, dated, flag, body?.member, said.badge, said.image];
  for (const column of columnsOf(said)) {
    if (shown.includes(column.member)) continue;
    const value = valueAt(item, column.member);
    const written = formatValue(value, column) ?? textOf(value);
    if (written !== "") words.facts.push([column.name ?? column.member, written, column]);
  }
  const listed = [...shown, ...columnsOf(said).map(({ member }) => member), ...(said.hidden ?? [])];
  const told = new Set([said.id ?? "id", ...listed.map((path) => path?.split(".")[0])]);
  for (const [name, value] of members) {
    const attached = !told.has(name) && areFiles(value);
    if (attached) words.files.push(...value);
    const written = attached || told.has(name) ? "" : textOf(value);
    const reading = written.length > LONG_TEXT || written.includes("\n") || (TEXTS.includes(name) && written !== "");
    if (reading) words.texts.push({ text: written, format: "text" });
    else if (written !== "") words.facts.push([name, written]);
  }
  return words;
}

/**
 * Whether a member lists files: objects with an address, and what is there.
 *
 * @param {any} value
 * @returns {value is File[]}
 */
function areFiles(value) {
  const isFile = (/** @type {any} */ one) => isObject(one) && typeof one["url"] === "string" && ["name", "type", "size"].some((member) => member in one);
  return Array.isArray(value) && value.length > 0 && value.every(isFile);
}

/**
 * What a screen's `display` says of columns.
 *
 * @param {Display} said
 * @returns {import("./format.js").Column[]}
 */
function columnsOf({ columns = [] }) {
  return columns.map((column) => (typeof column === "string" ? { member: column } : column));
}

/**
 * An item as it is once somebody has read it; null if that changes nothing.
 *
 * @param {any} item
 * @param {Display} [said]
 */
export function asRead(item, said = {}) {
  const flag = readFlagOf(item, said);
  if (flag === undefined || Boolean(valueAt(item, flag)) !== unreadValueOf(flag)) return null;
  const read = !valueAt(item, flag);
  // A table may have no truths, but numbers.
  return withMember(item, flag, typeof valueAt(item, flag) === "number" ? Number(read) : read);
}

/**
 * An item whose member is another.
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
 * What the member that tells it is while nobody has read an item.
 *
 * @param {string} flag
 */
function unreadValueOf(flag) {
  return UNREAD_VALUES.get(flag) ?? true;
}

/**
 * @param {any} item
 * @param {Display} said
 */
function readFlagOf(item, { unread }) {
  const tells = (/** @type {unknown} */ value) => typeof value === "boolean" || value === 0 || value === 1;
  if (unread) return tells(valueAt(item, unread)) ? unread : undefined;
  return [...UNREAD_VALUES.keys()].find((name) => isObject(item) && tells(item[name]));
}

/**
 * What to call an item, or any other value, in a sentence.
 *
 * @param {any} value
 * @param {Display} [said]
 */
export function titleOf(value, said) {
  return isObject(value) ? describe(value, said).title : textOf(value);
}

/**
 * Facts in a line, of which the first are seen in any case: what something costs, and then words; addresses are last. Numbers and answers
 * have their names, for they say nothing alone. That a number counts is seen.
 *
 * @param {Fact[]} facts
 */
export function joinFacts(facts) {
  const bare = /^(yes|no|-?[\d.,]+)$/;
  const called = (/** @type {Fact} */ [name, , column]) => column?.name ?? labelOf(name, column).toLowerCase().replace(/(?<=.) count$/, "");
  const rank = (/** @type {Fact} */ [, value, column]) => (/^https?:/.test(value) ? 3 : column?.format === "money" ? 0 : column?.format || column?.align ? 2 : 1);
  // What money is in stands with it already.
  const currencies = facts.map(([, , column]) => column?.currency);
  const told = facts.filter(([, value]) => !currencies.includes(value)).sort((one, other) => rank(one) - rank(other));
  return told.map((fact) => (bare.test(fact[1]) ? `${called(fact)} ${fact[1]}` : fact[1])).join(" · ");
}

/**
 * What a fact is called: as its column says, or as its member is, the last of a path.
 *
 * @param {string} name
 * @param {import("./format.js").Column} [column]
 */
export function labelOf(name, column) {
  return column ? column.name ?? humanize(column.member.split(".").at(-1) ?? "") : humanize(name);
}

/**
 * An item's id: the member that its screen names, or else `id`, or the first that is called like one, or the first of all. A text is its own.
 *
 * @param {any} item
 * @param {Display} [said]
 * @returns {any}
 */
export function idOf(item, said = {}) {
  if (!isObject(item)) return item;
  if (said.id !== undefined && said.id in item) return item[said.id];
  const names = Object.keys(item);
  const name = "id" in item ? "id" : names.find((name) => /id$/i.test(name)) ?? names[0];
  return name === undefined ? undefined : item[name];
}

/**
 * What to call items: what somebody has written is a message.
 *
 * @param {any} item one of them
 * @param {number} count
 * @param {Display} [said]
 */
export function nounOf(item, count, said) {
  const { person, texts } = describe(item, said);
  const noun = person && texts.length > 0 ? "message" : "item";
  return count === 1 ? noun : `${noun}s`;
}

/**
 * A person's name without their mail address.
 *
 * @param {string} name
 */
function withoutAddress(name) {
  return name.replace(/\s*<[^<>\s]+@[^<>\s]+>$/, "") || name;
}

