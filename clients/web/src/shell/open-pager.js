import { parse } from "../../../javascript/src/index.js";
import { loadedItems } from "../list/items.js";
import { closeView } from "../net/close-view.js";

/** @typedef {import("../net/session.js").View} View */

/**
 * Opens a pager on an item that isn't loaded, by its id, if a screen can do that.
 *
 * @param {import("../../../javascript/src/app.js").App} app
 * @param {Iterable<import("../net/discovery.js").ScreenInfo>} infos
 * @param {import("../screens/screen.js").Screen} screen of the list
 * @param {string} id as in the URL
 * @returns {Promise<View | null>}
 */
export async function openPager(app, infos, screen, id) {
  const listed = screen.idOf(loadedItems(screen.items)[0]);
  const own = typeof listed !== "string" && /^-?\d+$/.test(id) ? parse(id) : id;
  for (const { screen: name, kind } of infos) {
    if (kind !== "pager" || !screen.listOutput) continue;
    try {
      const pager = await app.open(name, { id: own, list: screen.view.view });
      // Waits until the item is loaded, or an error shows that it doesn't exist.
      await Promise.race([pager.until("page", ({ item }) => item !== null), pager.until("error", (error) => error !== null)]);
      if (pager["page"].item !== null) return pager;
      closeView(pager);
    } catch {
      // This screen can't open the item.
    }
  }
  return null;
}
