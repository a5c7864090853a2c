/**
 * Splits text that arrives in pieces into lines, without empty ones. A line in many pieces is joined once.
 *
 * @param {(line: string) => void} take
 * @param {number} [most] the most characters of a line that are kept. An ellipsis replaces the rest
 * @returns {(piece: string) => void}
 */
export function lines(take, most = Infinity) {
  /** @type {string[]} */
  let begun = [];
  let length = 0;
  const add = (/** @type {string} */ part) => {
    if (length < most) begun.push(part.slice(0, most - length));
    length += part.length;
  };
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      add(piece.slice(start, end));
      start = end + 1;
      const line = begun.join("") + (length > most ? "…" : "");
      begun = [];
      length = 0;
      if (line.trim() !== "") take(line);
    }
    if (start < piece.length) add(piece.slice(start));
  };
}
