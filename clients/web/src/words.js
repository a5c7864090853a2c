/** Members that are a title, and those that name somebody, in the order in which they are looked for. */
const TITLES = ["subject", "title", "name", "label"];
const PEOPLE = ["sender", "from", "author", "user", "seller"];
const AMOUNTS = ["price", "amount", "total"];
const TEXTS = ["body", "text", "message", "note", "description", "summary", "content"];
/** Members that tell whether somebody has read an item, and what they say if nobody has. */
const READ = new Map([["unread", true], ["read", false], ["seen", false], ["isRead", false], ["is_read", false]]);
/** Characters from which on a text is for reading, not for a line among others. */
const LONG = 60;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/**
 * What is to be said of an item of which nothing is known but its members.
 *
 * @typedef {object} Words
 * @property {string} title
 * @property {string} person who wrote, sells or made it; empty if nobody is named
 * @property {Date | null} moment
 * @property {string} amount
 * @property {[name: string, value: string][]} facts what is short
 * @property {string[]} texts what is long
 * @property {boolean | null} unread null if the item doesn't say
 *
 * @param {any} item
 * @returns {Words}
 */
export function describe(item) {
  const members = isObject(item) ? Object.entries(item) : [];
  const find = (/** @type {string[]} */ names, /** @type {string} */ type) =>
    names.find((name) => isObject(item) && typeof item[name] === type && item[name] !== "");
  const titled = find(TITLES, "string");
  const person = find(PEOPLE, "string");
  const amount = find(AMOUNTS, "number");
  const dated = members.find(([, value]) => isMoment(value))?.[0];
  const flag = flagOf(item);
  const told = new Set(["id", titled, person, amount, dated, flag]);
  /** @type {Words} */
  const words = {
    title: titled ? item[titled] : text(identity(item)),
    person: person ? withoutAddress(item[person]) : "",
    moment: dated ? new Date(item[dated]) : null,
    amount: amount ? NUMBER.format(item[amount]) : "",
    facts: [],
    texts: [],
    unread: flag === undefined ? null : Boolean(item[flag]) === READ.get(flag),
  };
  for (const [name, value] of members) {
    const written = told.has(name) ? "" : text(value);
    const reading = written.length > LONG || written.includes("\n") || (TEXTS.includes(name) && written !== "");
    if (reading) words.texts.push(written);
    else if (written !== "") words.facts.push([name, written]);
  }
  return words;
}

/**
 * An item as it is once somebody has read it; null if that changes nothing.
 *
 * @param {any} item
 */
export function asRead(item) {
  const flag = flagOf(item);
  if (flag === undefined || Boolean(item[flag]) !== READ.get(flag)) return null;
  const read = !item[flag];
  // A table may have no truths, but numbers.
  return { ...item, [flag]: typeof item[flag] === "number" ? Number(read) : read };
}

/** @param {any} item */
function flagOf(item) {
  const tells = (/** @type {unknown} */ value) => typeof value === "boolean" || value === 0 || value === 1;
  return [...READ.keys()].find((name) => isObject(item) && tells(item[name]));
}

/**
 * What to call an item, or any other value, in a sentence.
 *
 * @param {any} value
 */
export function titleOf(value) {
  return isObject(value) ? describe(value).title : text(value);
}

/**
 * Facts in a line: numbers and answers with their names, for they say nothing alone. That a number counts is seen.
 *
 * @param {[name: string, value: string][]} facts
 */
export function inLine(facts) {
  const bare = /^(yes|no|-?[\d.,]+)$/;
  const called = (/** @type {string} */ name) => humane(name).toLowerCase().replace(/(?<=.) count$/, "");
  return facts.map(([name, value]) => (bare.test(value) ? `${called(name)} ${value}` : value)).join(" · ");
}

/**
 * An item's id: the member `id`, or the first that is called like one, or the first of all. A text is its own.
 *
 * @param {any} item
 * @returns {any}
 */
export function identity(item) {
  if (!isObject(item)) return item;
  const names = Object.keys(item);
  const name = "id" in item ? "id" : names.find((name) => /id$/i.test(name)) ?? names[0];
  return name === undefined ? undefined : item[name];
}

/**
 * A value for people.
 *
 * @param {any} value
 * @returns {string}
 */
export function text(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (isObject(value)) return Object.entries(value).map(([name, part]) => `${humane(name)}: ${text(part)}`).join(", ");
  return String(value);
}

/**
 * A name of the wire as people write: `pickImage` and `pick_image` are “Pick image”.
 *
 * @param {string} name
 */
export function humane(name) {
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ").trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Made once: to make one takes longer than all else that a row needs.
const TIME = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat([], { day: "numeric", month: "short" });
const DATE = new Intl.DateTimeFormat([], { day: "numeric", month: "short", year: "numeric" });
const NUMBER = new Intl.NumberFormat();

/**
 * How much of something there is.
 *
 * @param {number} count
 * @param {string | null} [unit] `bytes`, or whatever is counted
 */
export function amountOf(count, unit) {
  if (unit !== "bytes") return [NUMBER.format(count), unit].filter(Boolean).join(" ");
  const step = Math.min(3, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return `${NUMBER.format(Number((count / 1000 ** step).toPrecision(3)))} ${["B", "kB", "MB", "GB"][step]}`;
}

/**
 * What to call items: what somebody has written is a message.
 *
 * @param {any} item one of them
 * @param {number} count
 */
export function nounOf(item, count) {
  const { person, texts } = describe(item);
  const noun = person && texts.length > 0 ? "message" : "item";
  return count === 1 ? noun : `${noun}s`;
}

/**
 * A moment as short as it can be told: today by its time, this year by its day.
 *
 * @param {Date} moment
 * @param {Date} now
 */
export function brief(moment, now) {
  if (moment.toDateString() === now.toDateString()) return TIME.format(moment);
  return (moment.getFullYear() === now.getFullYear() ? DAY : DATE).format(moment);
}

/**
 * The language of a text, as far as its letters tell: a screen reader reads Japanese by Japanese rules.
 *
 * @param {string} written
 */
export function languageOf(written) {
  return /[\u3040-\u30ff]/.test(written) ? "ja" : "";
}

/** @param {unknown} value */
export function isMoment(value) {
  return typeof value === "string" && MOMENT.test(value) && !isNaN(Date.parse(value));
}

/** @param {string} name */
function withoutAddress(name) {
  return name.replace(/\s*<[^<>]*>$/, "") || name;
}

/**
 * @param {any} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  // A number that JavaScript can't hold is an object as well.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
