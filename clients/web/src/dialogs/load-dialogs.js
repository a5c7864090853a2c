import { loadDialogs } from "../lazy.js";

/** Kinds of tasks that the server has the user do. */
const KINDS = /** @type {const} */ (["alert", "confirm", "prompt", "login", "choose", "pickImage"]);

/**
 * Views whose server has asked for a yes: what they are told isn't held back, so that it asks at once.
 *
 * @type {WeakSet<object>}
 */
export const viewsThatConfirm = new WeakSet();

/**
 * @typedef {typeof KINDS[number]} Kind
 * @typedef {import("./dialogs.js").Task} Task
 * @typedef {import("./dialogs.js").Context} Context
 *
 * What does each kind of task.
 *
 * @type {Record<string, (task: Task, context: Context) => Promise<unknown>>}
 */
export const presenters = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    async (/** @type {Task} */ task, /** @type {Context} */ context) => {
      if (kind === "confirm" && context.view) viewsThatConfirm.add(context.view);
      return (await loadDialogs()).presenters[kind](task, context);
    },
  ]),
);

/** @param {string} question that is asked before something is done */
export async function confirm(question) {
  return (await loadDialogs()).confirm(question);
}

/**
 * Shows a menu. Keys that are pressed while it is loaded are the menu's: the list would open a row by them.
 *
 * @param {Parameters<typeof import("./dialogs.js").openMenu>} given what can be done
 */
export async function openMenu(...given) {
  /** @type {string[]} */
  const keys = [];
  const keep = (/** @type {KeyboardEvent} */ event) => {
    keys.push(event.key);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", keep, true);
  const loaded = await loadDialogs().finally(() => removeEventListener("keydown", keep, true));
  loaded.openMenu(...given);
  for (const key of keys) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    if (key === "Enter" || key === " ") focused?.click();
    else focused?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}

/** @param {Parameters<typeof import("./dialogs.js").fillIn>} given what is asked for */
export async function fillIn(...given) {
  return (await loadDialogs()).fillIn(...given);
}
