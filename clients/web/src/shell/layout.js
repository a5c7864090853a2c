import { readSetting, saveSetting } from "../ui/settings.js";

/**
 * How the page is divided.
 *
 * @typedef {object} Layout
 * @property {number | null} list the size of the list in percent; null for the default
 * @property {boolean} below whether the detail is below the list if there is room for both
 * @property {boolean} dense
 * @property {boolean} menu whether the menu is shown
 */

/** @returns {Layout} */
export function currentLayout() {
  const { list, below, dense, menu } = document.documentElement.dataset;
  return { list: list ? Number(list) : null, below: below === "true", dense: dense === "true", menu: menu !== "false" };
}

/** @param {Partial<Layout>} layout */
export function setLayout(layout) {
  const all = { ...currentLayout(), ...layout };
  const root = document.documentElement;
  Object.assign(root.dataset, { list: all.list ?? "", below: all.below, dense: all.dense, menu: all.menu });
  if (all.list === null) root.style.removeProperty("--list");
  else root.style.setProperty("--list", `${all.list}%`);
  saveSetting("layout", JSON.stringify(all));
  root.dispatchEvent(new Event("layout"));
}

/** Applies the layout of the last visit. */
export function restoreLayout() {
  try {
    setLayout(JSON.parse(readSetting("layout") ?? "{}"));
  } catch {
    setLayout({});
  }
}
