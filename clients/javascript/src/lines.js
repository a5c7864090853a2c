/**
 * Splits text that arrives in pieces into lines, without empty ones. A line in many pieces is joined once.
 *
 * @param {(line: string) => void} take
 * @returns {(piece: string) => void}
 */
export function lines(take) {
  /** @type {string[]} */
  let begun = [];
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      begun.push(piece.slice(start, end));
      start = end + 1;
      const line = begun.join("");
      begun = [];
      if (line.trim() !== "") take(line);
    }
    if (start < piece.length) begun.push(piece.slice(start));
  };
}
