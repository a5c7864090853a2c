import { h } from "../ui/dom.js";
import { openModal } from "./modal.js";

/** @typedef {import("./popup-menu.js").Command} Command */

/**
 * The keys of the page. Those of the app's actions come on top.
 *
 * @type {[keys: string[], what: string][]}
 */
const KEYS = [
  [["↑", "↓", "PgUp", "PgDn", "Home", "End", "g", "G"], "move in a list"],
  [["Enter", "Space"], "open, choose"],
  [["←", "→"], "previous, next item"],
  [["Escape"], "back"],
  [["/"], "search"],
  [["m"], "actions on an item"],
  [["x"], "mark an item; Shift ↑ ↓ mark more"],
  [["Ctrl A"], "mark all"],
  [["Ctrl Z", "u"], "undo"],
  [["r"], "refresh"],
  [["t"], "try again"],
  [["Ctrl K", ":"], "commands"],
  [["?"], "list of keys"],
];

/**
 * Opens a dialog that runs one of many commands by its name.
 *
 * @param {Command[]} commands
 */
export function openPalette(commands) {
  const list = h("ul", { class: "choices", role: "listbox", id: "palette", "aria-label": "Commands" });
  const field = h("input", {
    ...{ type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette", autocomplete: "off", autofocus: true },
    ...{ placeholder: "Type a command", "aria-label": "Command", spellcheck: "false" },
  });
  /** @type {Command[]} */
  let fitting = [];
  let active = 0;
  const run = (/** @type {Command | undefined} */ command) => {
    dialog.close();
    command?.act();
  };
  const draw = () => {
    const options = fitting.map((command, place) => {
      const parts = [h("span", { class: "row-title" }, command.name), h("span", { class: "row-when" }, command.group ?? "")];
      const key = command.key ? h("kbd", {}, command.key) : null;
      const option = h("li", { class: "choice", role: "option", id: `command-${place}`, "aria-selected": String(place === active) }, ...parts, key);
      option.addEventListener("click", () => run(command));
      return option;
    });
    list.replaceChildren(...options);
    if (fitting.length > 0) field.setAttribute("aria-activedescendant", `command-${active}`);
    else field.removeAttribute("aria-activedescendant");
    options[active]?.scrollIntoView({ block: "nearest" });
  };
  const look = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const text = ({ name = "", group = "" }) => `${name} ${group}`.toLowerCase();
    fitting = commands.filter((command) => words.every((word) => text(command).includes(word)));
    active = 0;
    draw();
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(fitting[active]);
    else if (step) active = (active + step + fitting.length) % Math.max(1, fitting.length);
    else return;
    event.preventDefault();
    if (step) draw();
  });
  const dialog = shown("palette", "Commands", h("div", { class: "search" }, field), list);
  look();
}

/**
 * Returns the list of keys and what they do. The keys of actions override those of the page.
 *
 * @param {Command[]} commands
 * @returns {[keys: string[], what: string][]}
 */
export function keysOf(commands) {
  const own = commands.flatMap(({ key, name, isAction }) => (key && isAction ? [{ key, name }] : []));
  const taken = new Set(own.map(({ key }) => key));
  /** @type {typeof KEYS} */
  const rows = [...own.map(({ key, name }) => /** @type {typeof KEYS[number]} */ ([[key], name])), ...KEYS.map(([keys, what]) => /** @type {typeof KEYS[number]} */ ([keys.filter((key) => !taken.has(key)), what]))];
  return rows.filter(([keys]) => keys.length > 0);
}

/**
 * Opens a dialog that lists the keys.
 *
 * @param {Command[]} commands
 */
export function showKeys(commands) {
  const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
  const named = (/** @type {string} */ key) => h("kbd", {}, key.replace("Ctrl", modifier));
  const rows = keysOf(commands).map(([keys, what]) => h("div", {}, h("dt", {}, ...keys.map(named)), h("dd", {}, what)));
  const close = h("button", { class: "button primary", autofocus: true, onclick: () => dialog.close() }, "Close");
  const dialog = shown("keys", "Keys", h("h2", {}, "Keys"), h("dl", { tabindex: 0, "aria-label": "Keys" }, ...rows), h("div", { class: "buttons" }, close));
}

/**
 * @param {string} style
 * @param {string} label
 * @param {...HTMLElement} content
 */
function shown(style, label, ...content) {
  const dialog = openModal({ class: style, "aria-label": label }, ...content);
  // A click outside closes it.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  return dialog;
}
