import { ListWindow } from "./lists.js";
import { control } from "./view.js";

/**
 * Returns a list with a window for components that draw only the visible rows: TanStack Virtual, react-window and others. It isn't a
 * method of views, so that apps without such a component don't load it.
 *
 * @param {import("./view.js").ViewBase<any>} view
 * @param {string} output
 * @param {{id?: string}} options the field that is an item's id
 * @returns {import("./types.js").VirtualRows<any>}
 */
export function virtual(view, output = "items", { id = "id" } = {}) {
  const sight = control.viewportTracker(view);
  const { subscribe, getSnapshot } = view.store(output);
  const itemAt = (/** @type {number} */ index) => getSnapshot().at(index) ?? null;
  const flush = () => {
    const seen = sight.takeUnreported();
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
      if (list instanceof ListWindow && index >= 0 && index < list.length && sight.rowRead(index, list.revision)) queueMicrotask(flush);
      return itemAt(index);
    },
    onRange(range) {
      const last = range?.endIndex ?? range?.stopIndex;
      if (!range || last === undefined || last < range.startIndex) return;
      const seen = { start: range.startIndex, end: last + 1 };
      if (!sight.isReported(seen)) view.send("viewport", seen);
    },
  };
}
