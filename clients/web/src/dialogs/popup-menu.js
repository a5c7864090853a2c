import { h } from "../ui/dom.js";

/**
 * A command in a menu or the palette.
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string} [icon]
 * @property {string} [key]
 * @property {string} [group]
 * @property {boolean} [isAction] whether it is an action of the app. Its key overrides those of the page
 * @property {() => void} act
 */

/**
 * Opens a menu. The focus returns when it closes.
 *
 * @param {string} label
 * @param {Command[]} commands
 * @param {{x: number, y: number}} place of its corner, if it fits there
 */
export function openMenu(label, commands, { x, y }) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const items = commands.map(({ name, icon, key, act }) => {
    const press = () => {
      menu.hidePopover();
      act();
    };
    const parts = [h("span", { "aria-hidden": "true" }, icon ?? ""), h("span", {}, name), key ? h("kbd", {}, key) : null];
    return h("button", { type: "button", role: "menuitem", tabindex: -1, onclick: press }, ...parts);
  });
  /** @type {any} popovers aren't in TypeScript's types yet */
  const menu = h("div", { class: "popup", role: "menu", "aria-label": label, popover: "auto" }, ...items);
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const place = items.findIndex((item) => item === document.activeElement);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1, Tab: place + (event.shiftKey ? -1 : 1) };
    const step = steps[event.key];
    const keyed = items[commands.findIndex(({ key }) => key === event.key)];
    if (step !== undefined) items.at(step % items.length)?.focus();
    else if (keyed && !event.ctrlKey && !event.metaKey) keyed.click();
    else if (event.key !== "Escape") return event.stopPropagation();
    if (event.key === "Escape") menu.hidePopover();
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener("toggle", (/** @type {any} */ { newState }) => {
    if (newState === "open") return;
    const focused = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (focused) before?.focus({ preventScroll: true });
  });
  (document.querySelector("main") ?? document.body).append(menu);
  menu.showPopover();
  const { offsetWidth, offsetHeight } = menu;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - offsetHeight - 8))}px`;
  items[0]?.focus();
}
