import { parse, stringify } from "../../../javascript/src/index.js";

/**
 * What the page's address says: the screen that is shown, the id of the item beside it, and what the screen looks for.
 *
 * @typedef {object} Criteria
 * @property {string} [query]
 * @property {Record<string, any>} [filters] those that are the user's own
 */

/**
 * @param {string} hash such as `#/items/m001?query=tea&filters={"label":"bug"}`
 * @returns {{screen: string, id: string | null} & Criteria}
 */
export function parseHash(hash) {
  const [, path = "", search = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [screen = "", id] = path.split("/").map(decode);
  const said = new URLSearchParams(search);
  const query = said.get("query");
  const filters = parseObject(said.get("filters"));
  return { screen, id: id || null, ...(query !== null && { query }), ...(filters && { filters }) };
}

/**
 * @param {string} screen
 * @param {import("../../../javascript/src/types.js").Id | null} [id]
 * @param {Criteria} looked
 */
export function hashOf(screen, id = null, { query, filters } = {}) {
  const parts = id === null ? [screen] : [screen, idInAddress(id)];
  const said = new URLSearchParams();
  if (query) said.set("query", query);
  if (filters && Object.keys(filters).length > 0) said.set("filters", stringify(filters));
  return [`#/${parts.map(encodeURIComponent).join("/")}`, String(said)].filter(Boolean).join("?");
}

/**
 * An id as the address has it. It is a text or a number, but the server of another app may have what it wants.
 *
 * @param {any} id
 */
export function idInAddress(id) {
  const text = typeof id === "object" && !(id instanceof Number) ? stringify(id) : String(id);
  // An address has no halves of characters.
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
 * An object; null for what is none, for people write addresses, too.
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
