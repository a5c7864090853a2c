/** Whether the browser can highlight parts of a text without changing the document. */
const SUPPORTED = "highlights" in CSS;

/**
 * Highlights the words of a query in elements.
 *
 * @param {Iterable<Element>} elements
 * @param {string} query
 */
export function highlightMatches(elements, query) {
  if (!SUPPORTED) return;
  const { highlights } = /** @type {any} */ (CSS);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  highlights.delete("match");
  if (words.length === 0) return;
  const ranges = [...elements].flatMap((element) => [...textNodesOf(element)].flatMap((text) => rangesOf(text, words)));
  highlights.set("match", new /** @type {any} */ (globalThis).Highlight(...ranges));
}

/** @param {Element} element */
function* textNodesOf(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) yield /** @type {Text} */ (text);
}

/**
 * @param {Text} text
 * @param {string[]} words
 */
function rangesOf(text, words) {
  const written = text.data.toLowerCase();
  // A few letters get longer in lower case. Then the positions don't fit.
  if (written.length !== text.data.length) return [];
  return words.flatMap((word) => {
    const ranges = [];
    for (let at = written.indexOf(word); at >= 0; at = written.indexOf(word, at + word.length)) {
      const range = new Range();
      range.setStart(text, at);
      range.setEnd(text, at + word.length);
      ranges.push(range);
    }
    return ranges;
  });
}
