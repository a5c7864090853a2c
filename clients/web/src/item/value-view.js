import { isTimestamp, shortDate } from "../text/dates.js";
import { link } from "../text/links.js";
import { humanize, isObject, textOf } from "../text/value.js";
import { h } from "../ui/dom.js";

/** Levels of objects and arrays that are rendered as nested elements. */
const MAX_DEPTH = 6;

/** @typedef {import("../net/discovery.js").Schema} Schema */

/**
 * Renders a value by its schema: the fields of an object, a table of objects, a picture, a link, or a text.
 *
 * @param {any} value
 * @param {Schema} [schema]
 * @param {string} [name] for screen readers
 * @param {number} [depth] how many levels may still follow; deeper ones are rendered as text
 * @returns {Node}
 */
export function renderValue(value, schema = {}, name = "", depth = MAX_DEPTH) {
  if (value === null || value === undefined || value === "") return h("span", { class: "none" }, "–");
  if (typeof value === "object" && depth === 0) return h("span", { dir: "auto" }, textOf(value));
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? table(value, schema.items, name, depth) : series(value, schema.items, name, depth);
  if (isObject(value)) return members(value, schema, name, depth);
  if (typeof value === "string") return renderString(value, name);
  return h("span", {}, textOf(value));
}

/**
 * Renders the fields of an object with their names.
 *
 * @param {Record<string, any>} object
 * @param {Schema} schema
 * @param {string} name
 * @param {number} depth
 */
function members(object, schema, name, depth) {
  if (Object.keys(object).length === 0) return h("span", { class: "none" }, "–");
  const rows = Object.entries(object).map(([member, value]) => {
    const content = renderValue(value, schema.properties?.[member], `${name} ${humanize(member)}`.trim(), depth - 1);
    return h("div", {}, h("dt", {}, humanize(member)), h("dd", {}, content));
  });
  return h("dl", {}, ...rows);
}

/**
 * @param {any[]} values
 * @param {Schema | undefined} schema
 * @param {string} name
 * @param {number} depth
 */
function series(values, schema, name, depth) {
  if (values.length === 0) return h("span", { class: "none" }, "–");
  return h("ul", { class: "series" }, ...values.map((value) => h("li", {}, renderValue(value, schema, name, depth - 1))));
}

/**
 * @param {any[]} rows
 * @param {Schema | undefined} schema
 * @param {string} name
 * @param {number} depth
 */
function table(rows, schema, name, depth) {
  // The columns of the schema come first, in its order, also if no row has them.
  const columns = [...new Set([...Object.keys(schema?.properties ?? {}), ...rows.flatMap(Object.keys)])];
  const heads = columns.map((column) => h("th", { scope: "col", ...alignmentOf(rows, column) }, humanize(column)));
  const body = rows.map((row) => {
    const cell = (/** @type {string} */ column) => renderValue(row[column], schema?.properties?.[column], humanize(column), depth - 1);
    return h("tr", {}, ...columns.map((column) => h("td", alignmentOf(rows, column), cell(column))));
  });
  const whole = h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body));
  // A table that is wider than the page scrolls by itself, also by keys.
  return h("div", { class: "table", role: "region", tabindex: 0, "aria-label": name || "Table" }, whole);
}

/**
 * Aligns columns of numbers at the end.
 *
 * @param {any[]} rows
 * @param {string} column
 * @returns {{class?: string}}
 */
function alignmentOf(rows, column) {
  const values = rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number" || typeof value === "bigint") ? { class: "end" } : {};
}

/**
 * @param {string} value
 * @param {string} name
 */
function renderString(value, name) {
  if (/^data:image\/[a-z+.-]+[;,]/i.test(value)) return h("img", { src: value, alt: name, class: "picture" });
  // Other URLs aren't links.
  if (/^https?:\/\/\S+$/.test(value)) return link(value, value);
  if (isTimestamp(value)) return h("time", { datetime: value }, shortDate(new Date(value), new Date()));
  return h("span", { dir: "auto" }, value);
}
