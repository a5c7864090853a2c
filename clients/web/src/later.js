import { h } from "./dom.js";

/** What the first rows don't need: each is a file of its own in the page as it is served, and is loaded when somebody needs it. */

export const dialogs = () => import("./dialogs.js");
export const dividing = () => import("./dividing.js");
export const long = () => styled("long", import("./long.js"));
export const news = () => import("./news.js");
export const palette = () => import("./palette.js");
export const reading = () => styled("reading", import("./reading.js"));

/** @type {Map<string, Promise<unknown>>} those that are there, or on their way */
const sheets = new Map();

/**
 * The styles come with it.
 *
 * @template Module
 * @param {string} name
 * @param {Promise<Module>} module
 */
async function styled(name, module) {
  if (!sheets.has(name)) {
    const come = new Promise((resolve, reject) => {
      const href = new URL(`../style/${name}.css`, import.meta.url).href;
      document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: reject }));
    });
    sheets.set(name, come);
    // Without a network they come another time.
    come.catch(() => sheets.delete(name));
  }
  const [made] = await Promise.all([module, sheets.get(name)]);
  return made;
}
