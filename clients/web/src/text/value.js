/** Levels of objects and arrays that are shown. */
const MAX_DEPTH = 50;

/**
 * A member of an item.
 *
 * @param {any} item
 * @param {string} path
 */
export function valueAt(item, path) {
  return path.split(".").reduce((value, name) => (isObject(value) ? value[name] : undefined), item);
}

/**
 * A value for people. What is nested deeper than people read is left out.
 *
 * @param {any} value
 * @param {number} [depth] how deep it may still be nested
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
 * An identifier as people write: `pickImage` and `pick_image` are “Pick image”. It is for names of screens, inputs, outputs and fields, never for
 * what the user or a configuration wrote, and a name that isn't an identifier stays as it is.
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
  // A number that JavaScript can't hold is an object as well.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
