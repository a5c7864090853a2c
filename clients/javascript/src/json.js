/** JSON that keeps all numbers exactly. JavaScript's own JSON rounds those that a double can't hold. */

/** The most digits of integers that become BigInts. Parsing longer ones takes too long. */
const MOST_DIGITS = 1000;

/** Matches numbers that a double may not hold, because they are long or have an exponent. May also match inside strings. */
const DOUBTFUL = /[:[,]\s*(-?(?=\d[\d.]{15}|[\d.]+[eE])\d[\d.]*(?:[eE][+-]?\d+)?)/g;

/** The classes of boxed primitive values. */
const BOXES = [Number, String, Boolean];

/** Whether JavaScript's own `stringify` has met an {@link ExactNumber}. */
let metExactNumber = false;

/**
 * A number that is neither a safe integer nor a double, such as `1e400`. It has the value of the nearest double, and is written as
 * it was read.
 */
export class ExactNumber extends Number {
  /** @param {string} text in JSON */
  constructor(text) {
    super(text);
    /** Returns the original text. */
    this.text = text;
  }

  /** @override */
  toString() {
    return this.text;
  }

  /** Returns the nearest double, for JavaScript's own `JSON`. */
  toJSON() {
    metExactNumber = true;
    return Number(this);
  }

  /**
   * Whether another number has the same value, however it is written.
   *
   * @param {unknown} other
   */
  equals(other) {
    return other instanceof ExactNumber && decimal(other.text) === decimal(this.text);
  }
}

/**
 * Whether two ids are the same for the server.
 *
 * @param {unknown} one
 * @param {unknown} other
 */
export function sameId(one, other) {
  return one === other || (one instanceof ExactNumber && one.equals(other));
}

/**
 * Returns the key of an id for a `Map` or `Set`. Ids have the same key exactly if they are the same.
 *
 * @param {unknown} id
 * @returns {string | undefined}
 */
export function idKey(id) {
  return typeof id === "string" ? ` ${id}` : stringify(id);
}

/**
 * Parses JSON. Integers beyond 2⁵³ become bigints. Other numbers that a double can't hold, and integers with thousands of digits,
 * become {@link ExactNumber}s.
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
 * Writes a value as JSON, like JavaScript's own `stringify`, but keeps bigints and {@link ExactNumber}s as numbers.
 *
 * @param {any} value
 * @returns {string}
 */
export function stringify(value) {
  metExactNumber = false;
  try {
    const text = JSON.stringify(value);
    // An app may have given bigints a `toJSON` that makes them strings.
    if (!metExactNumber && !("toJSON" in BigInt.prototype)) return text;
  } catch (error) {
    // The reason is a bigint. Otherwise the error is thrown again.
    JSON.stringify(value, (_, member) => (typeof member === "bigint" ? 0 : member));
  }
  return /** @type {string} */ (write(value, ""));
}

/** Parses a text that is known to be JSON. */
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

  /** Returns the next character that isn't white space. */
  #peek() {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at += 1;
    return this.#text[this.#at];
  }

  /**
   * Skips an opening bracket or a comma. Returns whether something follows before the end.
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
      // Assigning to this name would set the object's prototype.
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
 * Whether a double holds a number: an integer up to 2⁵³, or a number in the spelling of a double. Other numbers with 17 digits are
 * parsed as the same double, and would be written differently.
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
 * Returns the canonical spelling of a number's value.
 *
 * @param {string} text
 */
function decimal(text) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start += 1;
  // The pattern `0+$` would search again from each zero, which takes quadratic time.
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  return `${sign}${digits.slice(start, end)}e${BigInt(exponent) + BigInt(digits.length - end - fraction.length)}`;
}

/**
 * @param {any} value
 * @param {string} name of the property
 * @returns {string | undefined} undefined if JSON can't represent it
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
