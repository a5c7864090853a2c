import { h } from "../ui/dom.js";

/** URLs in a text, without punctuation at their end. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”「」（）]+[^\s<>"'“”「」（）.,;:!?。、)\]}]/g;

/**
 * Splits a text into plain texts and links.
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
 * Creates a link to another site, which learns nothing about this page.
 *
 * @param {string} address
 * @param {...(Node | string)} content
 */
export function link(address, ...content) {
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...content);
}
