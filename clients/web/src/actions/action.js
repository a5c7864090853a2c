import { parametersOf } from "../net/discovery.js";
import { formatAmount } from "../text/format.js";
import { idOf, titleOf } from "../text/item-display.js";
import { humanize, isObject, valueAt } from "../text/value.js";

/** @typedef {import("../text/item-display.js").ActionDefinition & {name: string}} Action */

/**
 * What can be done with a screen's items: what is said of that, or else what its inputs can do with an id.
 *
 * @param {import("../net/discovery.js").ScreenInfo} about
 * @param {string[]} own inputs that the page knows
 * @returns {Action[]}
 */
export function actionsOf({ inputs, display }, own) {
  const guessed = [...inputs.values()].filter((input) => !own.includes(input.name) && parametersOf(input).join() === "id");
  /** @type {import("../text/item-display.js").ActionDefinition} */
  const removal = { input: "remove", name: "Archive", icon: "🗄", key: "e", undo: true, for: "many" };
  /** @type {import("../text/item-display.js").ActionDefinition[]} */
  const said = display.actions ?? [removal, ...guessed.map(({ name }) => ({ input: name }))];
  return said.filter(({ input }) => inputs.has(input)).map((action) => ({ ...action, name: action.name ?? humanize(action.input) }));
}

/**
 * The parameters of an action's input, as far as the item has them.
 *
 * @param {Action} action
 * @param {import("../net/discovery.js").Input} input
 * @param {any} item
 * @param {import("../text/item-display.js").Display} [said]
 * @returns {{params: Record<string, any>, missing: string[]}}
 */
export function parametersFor({ params = {}, set }, input, item, said) {
  /** @type {Record<string, any>} */
  const given = {};
  for (const name of parametersOf(input)) {
    if (name in params) given[name] = resolve(params[name], item, said);
    else if (set && name === "item") given[name] = { ...item, ...set };
    else if (name === "id") given[name] = idOf(item, said);
    else if (isObject(item) && name in item) given[name] = item[name];
  }
  return { params: given, missing: parametersOf(input).filter((name) => given[name] === undefined) };
}

/**
 * What something was done with, in a sentence.
 *
 * @param {any[]} items
 * @param {import("../text/item-display.js").Display} display
 * @param {import("./marks.js").ServerMarks | null} [kept] all that the server has marked, if that is what it was
 */
export function nameItems(items, display, kept = null) {
  if (kept && (kept.count !== 1 || items.length === 0)) return kept.count === null ? "all items" : formatAmount(kept.count, "items");
  return items.length === 1 ? `“${titleOf(items[0], display)}”` : `${items.length} items`;
}

/**
 * @param {any} value
 * @param {any} item
 * @param {import("../text/item-display.js").Display} [said]
 * @returns {any}
 */
function resolve(value, item, said) {
  if (Array.isArray(value)) return value.map((part) => resolve(part, item, said));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, item, said)]));
  const path = typeof value === "string" ? /^\{([^{}]+)\}$/.exec(value)?.[1] : undefined;
  if (path === undefined) return value;
  return path === "id" ? idOf(item, said) : valueAt(item, path);
}
