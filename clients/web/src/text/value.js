/** Levels of nested objects and arrays that are shown. */
const MAX_DEPTH = 50;

/**
 * Returns the value at a path in an item.
 *
 * @param {any} item
 * @param {string} path
 */
export function valueAt(item, path) {
  return path.split(".").reduce((value, name) => (isObject(value) ? value[name] : undefined), item);
}

/**
 * Returns a value as text for people. Too deeply nested values are abbreviated.
 *
 * @param {any} value
 * @param {number} [depth] how many levels may still follow
 * @returns {string}
 */
export function textOf(value, depth = MAX_DEPTH) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && depth === 0) return "…";
  if (Array.isArray(value)) return value.map((part) => textOf(part, depth - 1)).join(", ");
  if (isObject(value)) return Object.entries(value).map(([name, part]) => `${humanize(name)}: ${textOf(part, depth - 1)}`).join(", ");
  return String(value);
}

/**
 * Writes an identifier as words: `pickImage` and `pick_image` become “Pick image”. Only for names of screens, inputs, outputs and
 * fields, never for texts of the user or the configuration. Names that aren't identifiers stay as they are.
 *
 * @param {string} name
 */
export function humanize(name) {
  if (!/^[\p{L}\p{M}\p{N}_-]+$/u.test(name)) return name;
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ").trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * @param {any} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  // The client library represents numbers that JavaScript can't hold as objects.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
