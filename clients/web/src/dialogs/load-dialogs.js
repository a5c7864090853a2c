import { loadDialogs } from "../lazy.js";

/**
 * The kinds of tasks that the page presents.
 *
 * @type {import("./dialogs.js").Kind[]}
 */
const KINDS = ["alert", "confirm", "prompt", "login", "choose", "pickImage"];

/**
 * Views whose server has asked for a confirmation, so that the page needn't ask as well.
 *
 * @type {WeakSet<object>}
 */
export const viewsThatConfirm = new WeakSet();

/**
 * @typedef {import("./dialogs.js").Task} Task
 * @typedef {import("./dialogs.js").Context} Context
 *
 * The presenters, by the kinds of tasks.
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

/** @param {string} question */
export async function confirm(question) {
  return (await loadDialogs()).confirm(question);
}

/**
 * Opens a menu. Keys that are pressed while its module is loading go to the menu; otherwise the list would open a row.
 *
 * @param {Parameters<typeof import("./dialogs.js").openMenu>} given the arguments of the menu
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

/** @param {Parameters<typeof import("./dialogs.js").fillIn>} given the arguments of the dialog */
export async function fillIn(...given) {
  return (await loadDialogs()).fillIn(...given);
}
