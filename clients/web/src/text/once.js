/**
 * Returns a function that creates a value on its first call. Creating a format takes longer than drawing a row, and the first rows may
 * need none.
 *
 * @template Made
 * @param {() => Made} make
 */
export function once(make) {
  /** @type {Made | undefined} */
  let made;
  return () => (made ??= make());
}
