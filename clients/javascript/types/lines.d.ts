/**
 * Cuts text into lines, however it comes in pieces, and passes over empty ones. A line that grows over many pieces is
 * put together once.
 *
 * @param {(line: string) => void} take
 * @returns {(piece: string) => void}
 */
export function lines(take: (line: string) => void): (piece: string) => void;
