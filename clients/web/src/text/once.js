/**
 * Something that is made when it is needed, and once: to make a format takes longer than all else that a row needs, and the first rows
 * may need none.
 *
 * @template Made
 * @param {() => Made} make
 */
export function once(make) {
  /** @type {Made | undefined} */
  let made;
  return () => (made ??= make());
}
