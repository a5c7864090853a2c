/**
 * Yields how long to wait before each attempt to reconnect, in milliseconds. The time doubles, and a random part of up to half is
 * subtracted, so that many pages that lost the same server don't reconnect all at once.
 *
 * @param {object} options
 * @param {number} [options.first]
 * @param {number} [options.most]
 * @param {() => number} [options.random] a number from 0 to below 1
 * @returns {Generator<number, never, void>}
 */
export function* backoff({ first = 500, most = 30_000, random = Math.random } = {}) {
  for (let wait = first; ; wait = Math.min(2 * wait, most)) yield wait * (1 - random() / 2);
}
