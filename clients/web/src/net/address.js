import { parse, stringify } from "../../../javascript/src/index.js";

/**
 * The query and filters of a list, as in the page's URL.
 *
 * @typedef {object} Criteria
 * @property {string} [query]
 * @property {Record<string, any>} [filters] those that the user has set
 */

/**
 * @param {string} hash such as `#/items/m001?query=tea&filters={"label":"bug"}`
 * @returns {{screen: string, id: string | null} & Criteria}
 */
export function parseHash(hash) {
  const [, path = "", search = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [screen = "", id] = path.split("/").map(decode);
  const parameters = new URLSearchParams(search);
  const query = parameters.get("query");
  const filters = parseObject(parameters.get("filters"));
  return { screen, id: id || null, ...(query !== null && { query }), ...(filters && { filters }) };
}

/**
 * @param {string} screen
 * @param {import("../../../javascript/src/types.js").Id | null} [id]
 * @param {Criteria} looked
 */
export function hashOf(screen, id = null, { query, filters } = {}) {
  const parts = id === null ? [screen] : [screen, idInAddress(id)];
  const parameters = new URLSearchParams();
  if (query) parameters.set("query", query);
  if (filters && Object.keys(filters).length > 0) parameters.set("filters", stringify(filters));
  return [`#/${parts.map(encodeURIComponent).join("/")}`, String(parameters)].filter(Boolean).join("?");
}

/**
 * Returns an id as the URL contains it. Ids are texts or numbers, but apps may use other values.
 *
 * @param {any} id
 */
export function idInAddress(id) {
  const text = typeof id === "object" && !(id instanceof Number) ? stringify(id) : String(id);
  // A URL can't contain lone surrogates.
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Parses an object; null if the text isn't one, because users edit URLs.
 *
 * @param {string | null} text
 */
function parseObject(text) {
  try {
    const value = parse(text ?? "null");
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
