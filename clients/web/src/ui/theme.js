import { h, icon } from "./dom.js";
import { readSetting, saveSetting } from "./settings.js";

/** Whether the page is light or dark, or follows the system. */
const THEMES = /** @type {const} */ (["system", "light", "dark"]);
/** @type {Record<Theme, keyof typeof import("./icons.js").ICONS>} */
const ICONS = { system: "system", light: "sun", dark: "moon" };

/** @typedef {typeof THEMES[number]} Theme */

/** @type {Set<() => void>} */
const buttons = new Set();

/** @returns {Theme} */
function currentTheme() {
  const name = readSetting("theme") ?? document.documentElement.dataset["theme"];
  return THEMES.find((theme) => theme === name) ?? "system";
}

/** @param {Theme} theme */
function setTheme(theme) {
  document.documentElement.dataset["theme"] = theme;
  saveSetting("theme", theme);
  for (const draw of buttons) draw();
}

/** Applies the theme of the last visit. */
export function restoreTheme() {
  document.documentElement.dataset["theme"] = currentTheme();
}

/** Creates the button that switches to the next theme. */
export function themeButton() {
  const next = () => setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "system");
  const button = h("button", { type: "button", class: "icon-button theme", onclick: next });
  const draw = () => {
    const theme = currentTheme();
    button.replaceChildren(icon(ICONS[theme]));
    button.setAttribute("aria-label", `Theme: ${theme}`);
    button.title = `Theme: ${theme}`;
  };
  buttons.add(draw);
  draw();
  return button;
}
