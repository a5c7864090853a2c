import { h } from "../ui/dom.js";

/**
 * Opens a modal dialog. It leaves the page when it closes.
 *
 * @param {Record<string, string>} attributes
 * @param {...Node} content
 */
export function openModal(attributes, ...content) {
  const dialog = h("dialog", attributes, ...content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
