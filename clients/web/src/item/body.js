import { link, withLinks } from "../text/links.js";
import { h } from "../ui/dom.js";
import { remoteImagesButton } from "./remote-images.js";

/** The HTML elements that are kept: texts, tables and pictures without styles. */
const ELEMENTS = [
  ...["a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6"],
  ...["hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup"],
  ...["table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "rp", "rt", "ruby"],
];
/** The deepest nesting of quotes and lists that is rendered. */
const MAX_DEPTH = 50;
const ATTRIBUTES = ["href", "src", "alt", "title", "lang", "dir", "colspan", "rowspan", "width", "height", "start"];

/**
 * Renders a formatted text of an item.
 *
 * @param {import("../text/item-display.js").Text} text
 * @returns {HTMLElement}
 */
export function renderBody({ text, format }) {
  return format === "html" ? renderHTML(text) : renderMarkdown(text);
}

/**
 * Renders the Markdown that people write in messages: headings, lists, quotes, code, emphasis and links.
 *
 * @param {string} text
 */
export function renderMarkdown(text) {
  return h("div", { class: "markdown" }, ...renderBlocks(text.split(/\r?\n/)));
}

/**
 * @param {string[]} lines
 * @param {number} [depth] how many levels of quotes and lists may still follow
 * @returns {HTMLElement[]}
 */
function renderBlocks(lines, depth = MAX_DEPTH) {
  /** @type {HTMLElement[]} */
  const made = [];
  let at = 0;
  const take = (/** @type {RegExp} */ fits) => {
    const from = at;
    while (at < lines.length && fits.test(lines[at] ?? "")) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6})\s/.exec(line);
    const listed = /^\s{0,3}(?:[-*+]|(\d+)[.)])\s/.exec(line);
    if (line.trim() === "") at += 1;
    else if (/^\s{0,3}(```|~~~)/.test(line)) {
      at += 1;
      made.push(h("pre", {}, h("code", {}, take(/^(?!\s{0,3}(```|~~~))/).join("\n"))));
      at += 1;
    } else if (heading) {
      at += 1;
      // The article has a heading already.
      made.push(h(heading[1]?.length === 1 ? "h3" : "h4", {}, ...renderSpans(withoutClosingMarks(line.slice(heading[0]?.length)))));
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      at += 1;
      made.push(h("hr"));
    } else if (depth > 0 && /^\s{0,3}>/.test(line)) {
      const quoted = take(/^\s{0,3}>/).map((quoted) => quoted.replace(/^\s*> ?/, ""));
      made.push(h("blockquote", {}, ...renderBlocks(quoted, depth - 1)));
    } else if (depth > 0 && listed) {
      const [ordered, marker] = listed[1] ? ["ol", /^\s{0,3}\d+[.)]\s+/] : ["ul", /^\s{0,3}[-*+]\s+/];
      const items = take(/^\s{0,3}([-*+]|\d+[.)])\s|^\s{2,}\S/).reduce((/** @type {string[][]} */ items, one) => {
        if (/** @type {RegExp} */ (marker).test(one)) items.push([one.replace(/** @type {RegExp} */ (marker), "")]);
        else items.at(-1)?.push(one.replace(/^\s{2,4}/, ""));
        return items;
      }, []);
      const content = (/** @type {string[]} */ item) => (item.length === 1 ? renderSpans(item[0] ?? "") : renderBlocks(item, depth - 1));
      made.push(h(/** @type {"ol" | "ul"} */ (ordered), {}, ...items.map((item) => h("li", {}, ...content(item)))));
    } else {
      const paragraph = take(/^(?!\s*$|\s{0,3}(#{1,6}\s|>|```|~~~|[-*+]\s|\d+[.)]\s))/);
      if (paragraph.length === 0) at += 1;
      made.push(h("p", { dir: "auto" }, ...renderSpans((paragraph.length > 0 ? paragraph : [line]).join("\n"))));
    }
  }
  return made;
}

/**
 * Removes the marks that may close a heading. They are separate from its words, unlike that of `C#`.
 *
 * @param {string} heading
 */
function withoutClosingMarks(heading) {
  const text = heading.trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(text[end - 1] ?? "") ? text.slice(0, end).trimEnd() : text;
}

/**
 * Renders emphasis, code and links within a paragraph. The time is proportional to its length.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function renderSpans(text) {
  /** @type {(Node | string)[]} */
  const parts = [];
  const find = spanFinder(text);
  let end = 0;
  for (const { index } of text.matchAll(/[`*_~[]/g)) {
    const span = index === undefined || index < end ? null : find(index, end);
    if (!span) continue;
    parts.push(...withLinks(text.slice(end, index)), span.made());
    end = span.end;
  }
  return [...parts, ...withLinks(text.slice(end))];
}

/** @typedef {{end: number, made: () => Node}} Span a part of a text up to `end`, and how it is rendered */

/**
 * Returns a function that finds the emphasis, code or link that begins at an index, after the end of the last one. The indexes must
 * increase.
 *
 * @param {string} text
 * @returns {(index: number, last: number) => Span | null}
 */
function spanFinder(text) {
  /** @type {Map<string, number>} where each mark is next. It is looked for again only when that is passed */
  const places = new Map();
  const next = (/** @type {string} */ mark, /** @type {number} */ from) => {
    const known = places.get(mark) ?? -1;
    if (known >= from) return known;
    const found = text.indexOf(mark, from);
    const place = found < 0 ? Infinity : found;
    places.set(mark, place);
    return place;
  };
  /** @type {{bracket: number, address: string | null}} the address of the last link's name */
  let linked = { bracket: -1, address: null };
  const addressAfter = (/** @type {number} */ bracket) => {
    if (linked.bracket !== bracket) {
      const address = /\]\((https?:\/\/[^\s)]+)\)/y;
      address.lastIndex = bracket;
      linked = { bracket, address: address.exec(text)?.[1] ?? null };
    }
    return linked.address;
  };
  const between = (/** @type {"strong" | "em" | "del" | "code"} */ name, /** @type {number} */ start, /** @type {string} */ mark) => {
    const close = next(mark, start + 1);
    if (close === Infinity) return null;
    const content = () => text.slice(start, close);
    return { end: close + mark.length, made: () => h(name, {}, ...(name === "code" ? [content()] : renderSpans(content()))) };
  };
  return (index, last) => {
    const mark = text[index] ?? "";
    const twice = text[index + 1] === mark;
    if (mark === "`") return twice ? null : between("code", index + 1, mark);
    if (mark === "~") return twice ? between("del", index + 2, "~~") : null;
    if (mark === "[") {
      const bracket = next("]", index + 1);
      const address = bracket === Infinity || bracket === index + 1 ? null : addressAfter(bracket);
      if (address === null) return null;
      return { end: bracket + address.length + 3, made: () => link(address, ...renderSpans(text.slice(index + 1, bracket))) };
    }
    const strong = twice ? between("strong", index + 2, mark + mark) : null;
    if (strong || twice || !/\S/.test(text[index + 1] ?? "")) return strong;
    const em = between("em", index + 1, mark);
    // An identifier such as `snake_case` has no emphasis.
    const isWord = (/** @type {number} */ index) => /\w/.test(text[index] ?? "");
    return mark === "_" && em && ((index > last && isWord(index - 1)) || isWord(em.end)) ? null : em;
  };
}

/**
 * Renders HTML in a frame that runs no scripts, after the browser's sanitizer. Remote pictures are loaded on request, because
 * their senders would learn from the request that the message was read.
 *
 * @param {string} text
 */
function renderHTML(text) {
  // A document without a window loads nothing.
  const content = /** @type {any} */ (document.implementation.createHTMLDocument("").body);
  // Browsers without a sanitizer show the text.
  if (!content.setHTML) return h("p", {}, ...withLinks(text.replace(/<[^<>]*>/g, "")));
  content.setHTML(text, { sanitizer: { elements: ELEMENTS, attributes: ATTRIBUTES } });
  /** @type {[picture: HTMLImageElement, address: string][]} */
  const held = [];
  for (const picture of content.querySelectorAll("img")) {
    const address = picture.getAttribute("src") ?? "";
    if (/^data:image\//i.test(address)) continue;
    picture.removeAttribute("src");
    if (/^https?:/i.test(address)) held.push([picture, address]);
  }
  for (const anchor of content.querySelectorAll("a")) {
    if (!/^(https?|mailto):/i.test(anchor.getAttribute("href") ?? "")) anchor.removeAttribute("href");
    anchor.target = "_blank";
    anchor.rel = "noopener noreferrer";
  }
  const frame = h("iframe", { class: "html", sandbox: "allow-same-origin allow-popups allow-popups-to-escape-sandbox", title: "Message" });
  frame.addEventListener("load", () => fill(frame, [...content.childNodes]), { once: true });
  return h("div", { class: "framed" }, remoteImagesButton(held, frame), frame);
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {Node[]} content
 */
function fill(frame, content) {
  const inside = frame.contentDocument;
  if (!inside) return;
  const { color, colorScheme, fontFamily } = getComputedStyle(frame);
  const sheet = inside.createElement("link");
  Object.assign(sheet, { rel: "stylesheet", href: new URL("style/body.css", document.baseURI).href });
  Object.assign(inside.documentElement.style, { color, colorScheme, fontFamily });
  inside.head.append(sheet);
  inside.body.append(...content);
  // As high as its content, so that only the article scrolls.
  const fit = () => (frame.style.height = `${inside.documentElement.offsetHeight}px`);
  new ResizeObserver(fit).observe(inside.documentElement);
  fit();
}
