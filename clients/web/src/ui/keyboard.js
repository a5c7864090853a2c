export function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/**
 * Whether the user types text into an element.
 *
 * @param {EventTarget | null} target
 */
export function isTextField(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/**
 * Whether a key is the shortcut for undo: Ctrl Z or ⌘ Z.
 *
 * @param {KeyboardEvent} event
 */
export function isUndoKey({ key, code, altKey, ctrlKey, metaKey, shiftKey }) {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return false;
  // On keyboards without Latin letters, the key at the position of Z undoes.
  return key.toLowerCase() === "z" || (key > "\x7f" && code === "KeyZ");
}

/**
 * Focuses the shown content when a key is pressed while nothing has the focus, and dispatches the key to it.
 *
 * @param {KeyboardEvent} event
 * @param {() => void} focus focuses the shown content
 */
export function redirectKey(event, focus) {
  const { key } = event;
  if (hasFocus() || event.altKey || event.ctrlKey || event.metaKey || key === "Tab" || key === "Shift") return;
  focus();
  if (!hasFocus()) return;
  const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (!document.activeElement?.dispatchEvent(again)) event.preventDefault();
}
