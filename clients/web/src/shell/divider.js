import { h } from "../ui/dom.js";
import { currentLayout, setLayout } from "./layout.js";

/** By how much a key moves the divider, in percent of the page. */
const KEY_STEP = 3;
const BOUNDS = { least: 20, most: 70 };

/** @returns {import("../dialogs/popup-menu.js").Command[]} */
export function layoutCommands() {
  const { below, dense, menu } = currentLayout();
  const command = (/** @type {string} */ name, /** @type {Partial<import("./layout.js").Layout>} */ layout) => ({ name, group: "Layout", act: () => setLayout(layout) });
  return [
    command(dense ? "Spacious rows" : "Compact rows", { dense: !dense }),
    command(below ? "Detail beside the list" : "Detail below the list", { below: !below, list: null }),
    command(menu ? "Hide the menu" : "Show the menu", { menu: !menu }),
  ];
}

/**
 * Creates the divider between list and detail, which is moved by mouse, finger and keys.
 *
 * @param {HTMLElement} panes the element that is divided
 */
export function createDivider(panes) {
  const bound = h("div", { class: "separator", role: "separator", tabindex: 0, "aria-label": "Width of the list", "aria-valuemin": BOUNDS.least, "aria-valuemax": BOUNDS.most, "aria-valuenow": 40 });
  const move = (/** @type {number} */ percent) => {
    const list = Math.round(Math.max(BOUNDS.least, Math.min(percent, BOUNDS.most)));
    setLayout({ list });
    bound.setAttribute("aria-valuenow", String(list));
  };
  const share = () => {
    const [part, whole] = [bound.getBoundingClientRect(), panes.getBoundingClientRect()];
    const { below } = currentLayout();
    return below ? (100 * (part.top + part.height / 2 - whole.top)) / whole.height : (100 * Math.abs(part.left + part.width / 2 - start(whole))) / whole.width;
  };
  const start = (/** @type {DOMRect} */ { left, right }) => (getComputedStyle(panes).direction === "rtl" ? right : left);
  new ResizeObserver(() => bound.setAttribute("aria-valuenow", String(Math.round(share())))).observe(panes);
  bound.addEventListener("pointerdown", (event) => {
    bound.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bound.addEventListener("pointermove", ({ clientX, clientY, pointerId }) => {
    if (!bound.hasPointerCapture(pointerId)) return;
    const whole = panes.getBoundingClientRect();
    move(currentLayout().below ? (100 * (clientY - whole.top)) / whole.height : (100 * Math.abs(clientX - start(whole))) / whole.width);
  });
  bound.addEventListener("dblclick", () => setLayout({ list: null }));
  bound.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -KEY_STEP, ArrowUp: -KEY_STEP, ArrowRight: KEY_STEP, ArrowDown: KEY_STEP, Home: -100, End: 100 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(share() + step);
  });
  return bound;
}
