import { readSetting, saveSetting } from "../ui/settings.js";

/**
 * @typedef {object} Layout
 * @property {number | null} list how much of the page the list has, in percent; null for what fits most
 * @property {boolean} below whether the detail is below the list, where there is room for both
 * @property {boolean} dense
 * @property {boolean} menu whether the screens are named
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

/** Divides the page as it was the last time. */
export function restoreLayout() {
  try {
    setLayout(JSON.parse(readSetting("layout") ?? "{}"));
  } catch {
    setLayout({});
  }
}
