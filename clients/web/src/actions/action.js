import { canUndo, parametersOf } from "../net/discovery.js";
import { formatAmount } from "../text/format.js";
import { idOf, titleOf } from "../text/item-display.js";
import { humanize, isObject, valueAt } from "../text/value.js";

/**
 * @typedef {import("../text/item-display.js").ActionDefinition & {name: string, isGuess?: boolean}} Action
 *
 * The marks of the server. If `all` is true, `ids` are those that aren't marked. If `count` isn't a number, it is unknown.
 *
 * @typedef {{count: number | null, all: boolean, ids: any[]}} ServerMarks
 */

/**
 * Returns the actions on a screen's items: those that its `display` defines, or those that follow from inputs with an id.
 *
 * @param {import("../net/discovery.js").ScreenInfo} info
 * @param {string[]} own inputs that the page uses itself
 * @returns {Action[]}
 */
export function actionsOf(info, own) {
  const { inputs, display } = info;
  const guessed = [...inputs.values()].filter((input) => !own.includes(input.name) && parametersOf(input).join() === "id");
  const confirm = canUndo(info) || info.confirmRemoval ? "" : "Archive? This can’t be undone.";
  const removal = /** @type {const} */ ({ input: "remove", name: "Archive", icon: "🗄", key: "e", for: "many", isGuess: true });
  /** @type {(import("../text/item-display.js").ActionDefinition & {isGuess?: boolean})[]} */
  const definitions = display.actions ?? [{ ...removal, confirm }, ...guessed.map(({ name }) => ({ input: name }))];
  return definitions.filter(({ input }) => inputs.has(input)).map((action) => ({ ...action, name: action.name ?? humanize(action.input) }));
}

/**
 * Returns the parameters of an action's input that the item provides, and the names of the missing ones.
 *
 * @param {Action} action
 * @param {import("../net/discovery.js").Input} input
 * @param {any} item
 * @param {import("../text/item-display.js").Display} [display]
 * @returns {{params: Record<string, any>, missing: string[]}}
 */
export function parametersFor({ params = {}, set }, input, item, display) {
  /** @type {Record<string, any>} */
  const given = {};
  for (const name of parametersOf(input)) {
    if (name in params) given[name] = resolve(params[name], item, display);
    else if (set && name === "item") given[name] = { ...item, ...set };
    else if (name === "id") given[name] = idOf(item, display);
    else if (isObject(item) && name in item) given[name] = item[name];
  }
  return { params: given, missing: parametersOf(input).filter((name) => given[name] === undefined) };
}

/**
 * Returns how items are named in a sentence.
 *
 * @param {any[]} items
 * @param {import("../text/item-display.js").Display} display
 * @param {{count: number | null} | null} [counted] the marks of the server or an edit, if `items` are only the loaded ones
 */
export function nameItems(items, display, counted = null) {
  const count = counted ? counted.count : items.length;
  if (count === 1 && items.length === 1) return `“${titleOf(items[0], display)}”`;
  if (typeof count !== "number" || !isFinite(count)) return "all items";
  return formatAmount(count, count === 1 ? "item" : "items");
}

/**
 * @param {any} value
 * @param {any} item
 * @param {import("../text/item-display.js").Display} [display]
 * @returns {any}
 */
function resolve(value, item, display) {
  if (Array.isArray(value)) return value.map((part) => resolve(part, item, display));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, item, display)]));
  const path = typeof value === "string" ? /^\{([^{}]+)\}$/.exec(value)?.[1] : undefined;
  if (path === undefined) return value;
  return path === "id" ? idOf(item, display) : valueAt(item, path);
}
