export function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/**
 * Whether keys are for what is typed there.
 *
 * @param {EventTarget | null} target
 */
export function isTextField(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/**
 * Whether a key undoes, as it does in every app: Ctrl Z, or ⌘ Z.
 *
 * @param {KeyboardEvent} event
 */
export function isUndoKey({ key, code, altKey, ctrlKey, metaKey, shiftKey }) {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return false;
  // Where letters aren't Latin, it is the key at the same place.
  return key.toLowerCase() === "z" || (key > "\x7f" && code === "KeyZ");
}

/**
 * Gives a key to what is shown, when it is pressed where nothing has the focus.
 *
 * @param {KeyboardEvent} event
 * @param {() => void} focus gives the focus to what is shown
 */
export function redirectKey(event, focus) {
  const { key } = event;
  if (hasFocus() || event.altKey || event.ctrlKey || event.metaKey || key === "Tab" || key === "Shift") return;
  focus();
  if (!hasFocus()) return;
  const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (!document.activeElement?.dispatchEvent(again)) event.preventDefault();
}
