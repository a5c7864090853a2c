/** JSON whose numbers come and go as they are: JavaScript's own rounds those that a double can't hold. */

/** Integers of more digits than these would take BigInt long, and ever longer. */
const MOST_DIGITS = 1000;

/** A number that a double may not hold, for it is long or has an exponent. Within strings, something can look like it. */
const DOUBTFUL = /[:[,]\s*(-?(?=\d[\d.]{15}|[\d.]+[eE])\d[\d.]*(?:[eE][+-]?\d+)?)/g;

/** What holds a plain value, which JSON has instead. */
const BOXES = [Number, String, Boolean];

/** Whether JavaScript's own `stringify` has met an {@link ExactNumber}. */
let metExactNumber = false;

/**
 * A number that is neither a safe integer nor a double, such as `1e400`: the nearest `Number` that there is, which
 * knows its text. As that it goes back to the server.
 */
export class ExactNumber extends Number {
  /** @param {string} text as JSON has it */
  constructor(text) {
    super(text);
    /** As it came. */
    this.text = text;
  }

  /** @override */
  toString() {
    return this.text;
  }

  /** What JavaScript's own `JSON` writes, which can't do better. */
  toJSON() {
    metExactNumber = true;
    return Number(this);
  }

  /**
   * Whether another is the same number, however it is spelled.
   *
   * @param {unknown} other
   */
  equals(other) {
    return other instanceof ExactNumber && decimal(other.text) === decimal(this.text);
  }
}

/**
 * Whether two ids are the same to the server.
 *
 * @param {unknown} one
 * @param {unknown} other
 */
export function sameId(one, other) {
  return one === other || (one instanceof ExactNumber && one.equals(other));
}

/**
 * Returns a value that is equal for the same ids and only for these, as the key of a `Map` or `Set`.
 *
 * @param {unknown} id
 * @returns {string | undefined}
 */
export function idKey(id) {
  return typeof id === "string" ? ` ${id}` : stringify(id);
}

/**
 * The value of a JSON text. Integers beyond 2⁵³ are bigints; other numbers that a double doesn't hold, and integers of
 * thousands of digits, are {@link ExactNumber}s.
 *
 * @param {string} text
 * @returns {any}
 */
export function parse(text) {
  const value = JSON.parse(text);
  for (const [, number = ""] of text.matchAll(DOUBTFUL)) if (!isHeld(number)) return new ExactReader(text).value();
  return value;
}

/**
 * The JSON text of a value: what JavaScript's own `stringify` gives, but for bigints and {@link ExactNumber}s, which are
 * numbers as they are.
 *
 * @param {any} value
 * @returns {string}
 */
export function stringify(value) {
  metExactNumber = false;
  try {
    const text = JSON.stringify(value);
    // An app may have taught its bigints to be strings.
    if (!metExactNumber && !("toJSON" in BigInt.prototype)) return text;
  } catch (error) {
    // It is a bigint, or else is thrown again.
    JSON.stringify(value, (_, member) => (typeof member === "bigint" ? 0 : member));
  }
  return /** @type {string} */ (write(value, ""));
}

/** Reads a text that is known to be JSON. */
class ExactReader {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {any} */
  value() {
    switch (this.#peek()) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      default:
        return this.#word();
    }
  }

  /** The next character that isn't white space. */
  #peek() {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at += 1;
    return this.#text[this.#at];
  }

  /**
   * Passes over an opening bracket or a comma: whether something follows before the end.
   *
   * @param {string} end
   */
  #next(end) {
    if (this.#peek() !== end) this.#at += 1;
    if (this.#peek() !== end) return true;
    this.#at += 1;
    return false;
  }

  #object() {
    /** @type {Record<string, any>} */
    const object = {};
    while (this.#next("}")) {
      const name = this.#string();
      this.#peek();
      this.#at += 1;
      const value = this.value();
      // As a plain assignment, this name would set the object's prototype.
      if (name !== "__proto__") object[name] = value;
      else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
    }
    return object;
  }

  #array() {
    const array = [];
    while (this.#next("]")) array.push(this.value());
    return array;
  }

  /** @returns {string} */
  #string() {
    const start = this.#at;
    for (this.#at += 1; this.#text[this.#at] !== '"'; ) this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  #word() {
    const start = this.#at;
    while (!/[\s,\]}]/.test(this.#text[this.#at] ?? ",")) this.#at += 1;
    const word = this.#text.slice(start, this.#at);
    if (!/\d/.test(word) || isHeld(word)) return JSON.parse(word);
    return /[.eE]/.test(word) || word.length > MOST_DIGITS ? new ExactNumber(word) : BigInt(word);
  }
}

/**
 * Whether a double holds a number: an integer up to 2⁵³, or what a double is printed as. 17 digits of another number lead
 * to the same double, and wouldn't go back as they came.
 *
 * @param {string} text
 */
function isHeld(text) {
  const number = Number(text);
  if (!/[.eE]/.test(text)) return Number.isSafeInteger(number);
  if (String(number) === text) return true;
  if (!Number.isFinite(number)) return false;
  return decimal(String(number)) === decimal(text);
}

/**
 * A number's value, in the one spelling that each value has.
 *
 * @param {string} text
 */
function decimal(text) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${BigInt(exponent) + BigInt(digits.length - significant.length - fraction.length)}`;
}

/**
 * @param {any} value
 * @param {string} name the member that it is
 * @returns {string | undefined} nothing for what JSON doesn't know
 */
function write(value, name) {
  const isNumber = (/** @type {any} */ one) => one instanceof ExactNumber || typeof one === "bigint";
  if (!isNumber(value) && typeof value?.toJSON === "function") value = value.toJSON(name);
  if (isNumber(value)) return String(value);
  if (Array.isArray(value)) return `[${Array.from(value, (element, index) => write(element, String(index)) ?? "null").join(",")}]`;
  if (typeof value !== "object" || value === null || BOXES.some((Box) => value instanceof Box)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = write(member, name);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(",")}}`;
}
