import { link, withLinks } from "../text/links.js";
import { h } from "../ui/dom.js";
import { remoteImagesButton } from "./remote-images.js";

/** The HTML elements that are kept: texts, tables and pictures without styles. */
const ELEMENTS = [
  ...["a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6"],
  ...["hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup"],
  ...["table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "rp", "rt", "ruby"],
];
/** The length of a paragraph up to which emphasis is recognized. */
const MAX_EMPHASIS_LENGTH = 10_000;
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
 * @returns {HTMLElement[]}
 */
function renderBlocks(lines) {
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
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const listed = /^\s{0,3}(?:[-*+]|(\d+)[.)])\s/.exec(line);
    if (line.trim() === "") at += 1;
    else if (/^\s{0,3}(```|~~~)/.test(line)) {
      at += 1;
      made.push(h("pre", {}, h("code", {}, take(/^(?!\s{0,3}(```|~~~))/).join("\n"))));
      at += 1;
    } else if (heading) {
      at += 1;
      // The article has a heading already.
      made.push(h(heading[1]?.length === 1 ? "h3" : "h4", {}, ...renderSpans(heading[2] ?? "")));
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      at += 1;
      made.push(h("hr"));
    } else if (/^\s{0,3}>/.test(line)) made.push(h("blockquote", {}, ...renderBlocks(take(/^\s{0,3}>/).map((quoted) => quoted.replace(/^\s*> ?/, "")))));
    else if (listed) {
      const [ordered, marker] = listed[1] ? ["ol", /^\s{0,3}\d+[.)]\s+/] : ["ul", /^\s{0,3}[-*+]\s+/];
      const items = take(/^\s{0,3}([-*+]|\d+[.)])\s|^\s{2,}\S/).reduce((/** @type {string[][]} */ items, one) => {
        if (/** @type {RegExp} */ (marker).test(one)) items.push([one.replace(/** @type {RegExp} */ (marker), "")]);
        else items.at(-1)?.push(one.replace(/^\s{2,4}/, ""));
        return items;
      }, []);
      const content = (/** @type {string[]} */ item) => (item.length === 1 ? renderSpans(item[0] ?? "") : renderBlocks(item));
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
 * Renders emphasis, code and links within a line.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function renderSpans(text) {
  // Recognizing emphasis in a very long paragraph would take too long.
  if (text.length > MAX_EMPHASIS_LENGTH) return withLinks(text);
  const found = /`([^`]+)`|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*?)\*|(?<!\w)_([^_\s][^_]*?)_(?!\w)|~~(.+?)~~|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/s.exec(text);
  if (!found) return withLinks(text);
  const [whole = "", code, strong, bold, em, it, gone, name, address] = found;
  const rest = renderSpans(text.slice(found.index + whole.length));
  const before = withLinks(text.slice(0, found.index));
  const content = (/** @type {string} */ part) => renderSpans(part);
  const made = code !== undefined ? h("code", {}, code)
    : strong ?? bold ? h("strong", {}, ...content(strong ?? bold ?? ""))
    : em ?? it ? h("em", {}, ...content(em ?? it ?? ""))
    : gone ? h("del", {}, ...content(gone))
    : link(address ?? "", ...content(name ?? ""));
  return [...before, made, ...rest];
}

/**
 * Renders HTML in a frame that runs no scripts, after the browser's sanitizer. Remote pictures are loaded on request, because
 * loading them would tell their senders that the message is read.
 *
 * @param {string} text
 */
function renderHTML(text) {
  // A document that isn't shown loads nothing.
  const content = /** @type {any} */ (document.implementation.createHTMLDocument("").body);
  // Browsers without a sanitizer show the text.
  if (!content.setHTML) return h("p", {}, ...withLinks(text.replace(/<[^>]*>/g, "")));
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
