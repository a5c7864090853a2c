import { setText } from "./dom.js";

/**
 * Returns the language of a text, as far as its letters show it, so that screen readers read Japanese as Japanese.
 *
 * @param {string} written
 */
export function languageOf(written) {
  return /[\u3040-\u30ff]/.test(written) ? "ja" : "";
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setLocalizedText(element, text) {
  setText(element, text);
  const language = languageOf(text);
  if (element.lang !== language) element.lang = language;
}
