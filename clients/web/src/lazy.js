import { h } from "./ui/dom.js";

// The modules that the first rows don't need. Each is served as a separate file and loaded on first use. `serve` and the tests
// read the list from this file; worker.js repeats it.

export const loadArrivalNotifications = () => import("./list/arrival-notifications.js");
export const loadArticleExtras = () => withStyles("article-extras", import("./item/article-extras.js"));
export const loadCommandPalette = () => withStyles("dialogs", import("./dialogs/command-palette.js"));
export const loadDialogs = () => withStyles("dialogs", import("./dialogs/dialogs.js"));
export const loadDivider = () => withStyles("divider", import("./shell/divider.js"));
export const loadFarScroll = () => withStyles("far-scroll", import("./list/far-scroll.js"));
export const loadOffline = () => import("./net/offline.js");

/** @type {Map<string, Promise<unknown>>} the style sheets that are loading or loaded, by name */
const sheets = new Map();

/**
 * Loads the style sheet of a module with the module.
 *
 * @template Module
 * @param {string} name of the style sheet
 * @param {Promise<Module>} module
 */
async function withStyles(name, module) {
  if (!sheets.has(name)) {
    const loading = new Promise((resolve, reject) => {
      document.head.append(h("link", { rel: "stylesheet", href: `style/${name}.css`, onload: resolve, onerror: reject }));
    });
    sheets.set(name, loading);
    // A failed load is tried again on the next use.
    loading.catch(() => sheets.delete(name));
  }
  const [loaded] = await Promise.all([module, sheets.get(name)]);
  return loaded;
}
