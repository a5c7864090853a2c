import { h } from "./dom.js";
import { setLocalizedText } from "./localized-text.js";

/**
 * Draws a round portrait: a picture, or the first letter of the name on a color that depends on the name.
 *
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string} [image] its URL
 */
export function drawPortrait(element, name, image = "") {
  let hue = 7;
  for (const letter of name) hue = (hue * 31 + /** @type {number} */ (letter.codePointAt(0))) % 360;
  element.style.setProperty("--hue", String(hue));
  setLocalizedText(element, name.match(/[\p{L}\p{N}]/u)?.[0]?.toUpperCase() ?? "·");
  if (!isPictureURL(image)) return;
  const picture = h("img", { src: image, alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  picture.addEventListener("error", () => picture.remove());
  element.append(picture);
}

/** @param {string} url */
export function isPictureURL(url) {
  return /^(https?:|data:image\/)/i.test(url);
}
