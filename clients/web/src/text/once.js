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

/**
 * Returns a function that creates a format of dates on its first call.
 *
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dateFormat(options) {
  return once(() => new Intl.DateTimeFormat([], options));
}
