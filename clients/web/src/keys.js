export function hasFocus() {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/**
 * Whether keys are for what is typed there.
 *
 * @param {EventTarget | null} target
 */
export function isTyped(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/**
 * Gives a key to what is shown, when it is pressed where nothing has the focus.
 *
 * @param {KeyboardEvent} event
 * @param {() => void} focus gives the focus to what is shown
 */
export function aim(event, focus) {
  const { key } = event;
  if (hasFocus() || event.altKey || event.ctrlKey || event.metaKey || key === "Tab" || key === "Shift") return;
  focus();
  if (!hasFocus()) return;
  const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (!document.activeElement?.dispatchEvent(again)) event.preventDefault();
}
