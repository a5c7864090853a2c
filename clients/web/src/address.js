/**
 * What the page's address says: the screen that is shown, and the id of the item beside it.
 *
 * @param {string} hash such as `#/items/m001`
 * @returns {{screen: string, id: string | null}}
 */
export function parseHash(hash) {
  const [screen = "", id] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { screen, id: id || null };
}

/**
 * @param {string} screen
 * @param {import("../../javascript/src/types.js").Id} [id]
 */
export function hashOf(screen, id) {
  const parts = id === undefined ? [screen] : [screen, String(id)];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
