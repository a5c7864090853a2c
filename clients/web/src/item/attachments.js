import { formatAmount, formatValue } from "../text/format.js";
import { link } from "../text/links.js";
import { textOf } from "../text/value.js";
import { h } from "../ui/dom.js";
import { remoteImagesButton } from "./remote-images.js";

/** @typedef {import("../text/item-display.js").File} File */

/**
 * Renders an item's attachments. Remote pictures are loaded on request.
 *
 * @param {File[]} files
 */
export function renderAttachments(files) {
  /** @type {[picture: HTMLImageElement, address: string][]} */
  const held = [];
  const list = h("ul", { tabindex: -1 }, ...files.map((file) => h("li", {}, attachment(file, held))));
  const title = h("h3", {}, formatAmount(files.length, files.length === 1 ? "attachment" : "attachments"));
  return h("section", { class: "attachments", "aria-label": "Attachments" }, title, remoteImagesButton(held, list), list);
}

/**
 * @param {File} file
 * @param {[picture: HTMLImageElement, address: string][]} held remote pictures that aren't loaded yet
 */
function attachment(file, held) {
  const { url } = file;
  const name = textOf(file.name) || nameIn(url);
  const kind = kindOf(file, name);
  const size = file.size ?? sizeOf(url);
  const about = h("span", { class: "about" }, [kind, formatValue(size, { member: "size", format: "bytes" }) ?? textOf(size)].filter(Boolean).join(" · "));
  const content = [thumbnail(file, kind, held), h("span", { class: "name", dir: "auto" }, name), about];
  if (/^https?:/i.test(url)) return link(url, ...content);
  // A data URL is downloaded, because opening it would run what it contains. Other URLs aren't links.
  return /^data:/i.test(url) ? h("a", { href: url, download: name }, ...content) : h("span", {}, ...content);
}

/**
 * @param {File} file
 * @param {string} kind
 * @param {[picture: HTMLImageElement, address: string][]} held
 */
function thumbnail({ url, type }, kind, held) {
  const frame = h("span", { class: "thumbnail", "aria-hidden": "true" }, kind.slice(0, 4));
  const isHere = /^data:image\//i.test(url);
  if (!isHere && !(/^https?:/i.test(url) && /^image\//i.test(textOf(type)))) return frame;
  const picture = h("img", { alt: "", referrerpolicy: "no-referrer" });
  picture.addEventListener("load", () => frame.replaceChildren(picture));
  if (isHere) picture.src = url;
  else held.push([picture, url]);
  return frame;
}

/**
 * Returns the type of a file in a word.
 *
 * @param {File} file
 * @param {string} name
 */
function kindOf({ url, type }, name) {
  const ending = /\.(\w{1,5})$/.exec(name)?.[1];
  return ending?.toUpperCase() ?? (textOf(type) || null) ?? /^data:([^;,]+)/i.exec(url)?.[1] ?? "";
}

/**
 * Returns the last part of a URL.
 *
 * @param {string} url
 */
function nameIn(url) {
  return /^https?:\/\/[^?#]*\/([^/?#]+)/i.exec(url)?.[1] ?? "Attachment";
}

/**
 * Returns the size in bytes of the data in a data URL; null for other URLs.
 *
 * @param {string} url
 */
function sizeOf(url) {
  const comma = url.indexOf(",");
  if (!/^data:/i.test(url) || comma < 0) return null;
  const data = url.slice(comma + 1);
  if (!/;base64$/i.test(url.slice(0, comma))) return data.replace(/%[\da-f]{2}/gi, "-").length;
  let { length } = data;
  while (data[length - 1] === "=") length -= 1;
  return Math.floor((length * 3) / 4);
}
