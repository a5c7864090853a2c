import { ListWindow } from "./rows.js";

/**
 * A list as components want it that draw only what is in sight: TanStack Virtual, react-window and their like.
 *
 * @param {import("./view.js").ViewBase<any>} view
 * @param {import("./sight.js").Sight} sight
 * @param {import("./types.js").Store<any>} store of the list
 * @param {string} id the member that is an item's id
 * @returns {import("./types.js").VirtualRows<any>}
 */
export function virtualRows(view, sight, { subscribe, getSnapshot }, id) {
  const itemAt = (/** @type {number} */ index) => getSnapshot().at(index) ?? null;
  const flush = () => {
    const seen = sight.take();
    if (seen) view.send("viewport", seen);
  };
  return {
    subscribe,
    getSnapshot,
    get count() {
      return getSnapshot().length;
    },
    getItemKey(index) {
      const key = itemAt(index)?.[id] ?? `unread ${index}`;
      return typeof key === "object" ? String(key.text) : key;
    },
    item(index) {
      const list = getSnapshot();
      if (list instanceof ListWindow && index >= 0 && index < list.length && sight.look(index, list.revision)) queueMicrotask(flush);
      return itemAt(index);
    },
    onRange(range) {
      const last = range?.endIndex ?? range?.stopIndex;
      if (!range || last === undefined || last < range.startIndex) return;
      const seen = { start: range.startIndex, end: last + 1 };
      if (!sight.isTold(seen)) view.send("viewport", seen);
    },
  };
}
