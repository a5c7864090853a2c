import { h } from "../ui/dom.js";

/** Addresses in a text; what ends a sentence isn't part of them. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”「」（）]+[^\s<>"'“”「」（）.,;:!?。、)\]}]/g;

/**
 * A text, its addresses as links.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function withLinks(text) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let end = 0;
  for (const { 0: address = "", index = 0 } of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, index), link(address, address));
    end = index + address.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

/**
 * A link to another page, which learns nothing of this one.
 *
 * @param {string} address
 * @param {...(Node | string)} content
 */
export function link(address, ...content) {
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...content);
}
