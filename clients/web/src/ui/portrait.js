import { h } from "./dom.js";
import { setLocalizedText } from "./localized-text.js";

/**
 * Draws a round portrait: a picture, or the first letter of the name on a color that depends on the name. A remote picture
 * isn't loaded, because its server would learn who views the item.
 *
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string} [image] its URL
 * @param {RemotePictures} [held] receives the picture if it is from elsewhere
 */
export function drawPortrait(element, name, image = "", held) {
  let hue = 7;
  for (const letter of name) hue = (hue * 31 + /** @type {number} */ (letter.codePointAt(0))) % 360;
  element.style.setProperty("--hue", String(hue));
  setLocalizedText(element, name.match(/[\p{L}\p{N}]/u)?.[0]?.toUpperCase() ?? "·");
  if (!isPictureURL(image) || (!held && isRemote(image))) return;
  const picture = h("img", { alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  picture.addEventListener("error", () => picture.remove());
  loadPicture(picture, image, held);
  element.append(picture);
}

/** @typedef {[picture: HTMLImageElement, address: string][]} RemotePictures pictures that are loaded on request */

/**
 * Loads a picture, or keeps it for later if it is from elsewhere.
 *
 * @param {HTMLImageElement} picture
 * @param {string} address
 * @param {RemotePictures} [held]
 */
export function loadPicture(picture, address, held) {
  if (isRemote(address)) held?.push([picture, address]);
  else picture.src = address;
}

/**
 * Whether a picture is neither in its address nor on the page's own server.
 *
 * @param {string} address
 */
function isRemote(address) {
  return !/^data:/i.test(address) && !address.startsWith(`${location.origin}/`);
}

/** @param {string} url */
export function isPictureURL(url) {
  return /^(https?:|data:image\/)/i.test(url);
}
