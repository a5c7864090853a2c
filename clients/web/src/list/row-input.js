/**
 * Opens and marks rows, and opens their menus, by mouse, finger and keyboard.
 *
 * @param {HTMLElement} list
 * @param {import("./rows.js").Rows} rows
 * @param {import("./rows.js").RowListener} listener
 */
export function handleRowInput(list, rows, { onOpen, onMark, onMarkAll, onMenu, onBottom, goToEnd, isActionKey }) {
  /** @param {Event} event */
  const indexOf = ({ target }) => {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".row"));
    const index = Number(row?.dataset["index"]);
    return row && index < rows.items.length ? index : null;
  };
  const open = (/** @type {number} */ index) => {
    rows.moveTo(index);
    if (rows.active !== undefined) onOpen(rows.active);
  };
  /** @param {number} from @param {number} to */
  const markBetween = (from, to) => {
    const items = rows.items.slice(Math.min(from, to), Math.max(from, to) + 1);
    onMark?.(items.filter((item) => item !== null), false);
  };
  list.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index === null) return;
    const alone = event.ctrlKey || event.metaKey || /** @type {Element} */ (event.target).closest(".portrait");
    if (!onMark || !(event.shiftKey || alone)) return open(index);
    if (event.shiftKey) markBetween(rows.activeIndex, index);
    rows.moveTo(index);
    if (!event.shiftKey && rows.active !== undefined) onMark([rows.active], true);
  });
  const ask = (/** @type {number} */ index, /** @type {MouseEvent | null} */ event) => {
    rows.moveTo(index);
    const box = rows.elementAt(index)?.getBoundingClientRect();
    // The menu key fires this event as well, without a position.
    const place = event && event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: (box?.x ?? 0) + 64, y: (box?.y ?? 0) + 48 };
    if (rows.active !== undefined) onMenu?.(rows.active, place);
  };
  list.addEventListener("contextmenu", (event) => {
    if (!onMenu || rows.active === undefined) return;
    event.preventDefault();
    ask(indexOf(event) ?? rows.activeIndex, event);
  });
  list.addEventListener("keydown", (event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    const all = onMark && (ctrlKey || metaKey) && key === "a";
    if (!all && (altKey || ctrlKey || metaKey || isActionKey?.(key))) return;
    const { activeIndex, perPage } = rows;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage, Home: -Infinity, g: -Infinity, End: Infinity, G: Infinity };
    const step = steps[key];
    if (all) onMarkAll?.();
    else if (key === "Enter" || key === " ") open(activeIndex);
    else if (key === "x" && onMark && rows.active !== undefined) onMark([rows.active], true);
    else if (key === "m" && onMenu) ask(activeIndex, null);
    else if (step === undefined) return;
    else if (step !== Infinity || !goToEnd?.()) {
      if (step > 0 && activeIndex === rows.items.length - 1) onBottom();
      rows.moveTo(activeIndex + step);
      if (shiftKey && key !== "G") markBetween(activeIndex, rows.activeIndex);
    }
    event.preventDefault();
  });
}
