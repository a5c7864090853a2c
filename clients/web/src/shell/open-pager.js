import { parse } from "../../../javascript/src/index.js";
import { loadedItems } from "../list/items.js";
import { closeView } from "../net/close-view.js";

/** @typedef {import("../net/session.js").View} View */

/**
 * A pager of a list on an item that isn't loaded, if there is a screen that opens it by its id.
 *
 * @param {import("../../../javascript/src/app.js").App} app
 * @param {Iterable<import("../net/discovery.js").ScreenInfo>} infos
 * @param {import("../screens/screen.js").Screen} screen the list's
 * @param {string} id as the address has it
 * @returns {Promise<View | null>}
 */
export async function openPager(app, infos, screen, id) {
  const listed = screen.idOf(loadedItems(screen.items)[0]);
  const own = typeof listed !== "string" && /^-?\d+$/.test(id) ? parse(id) : id;
  for (const { screen: name, kind } of infos) {
    if (kind !== "pager" || !screen.listOutput) continue;
    try {
      const pager = await app.open(name, { id: own, list: screen.view.view });
      // It comes, or it turns out that there is none.
      await Promise.race([pager.until("page", ({ item }) => item !== null), pager.until("error", (error) => error !== null)]);
      if (pager["page"].item !== null) return pager;
      closeView(pager);
    } catch {
      // This one doesn't open it.
    }
  }
  return null;
}
