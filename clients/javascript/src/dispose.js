/**
 * The name of the method that `await using` calls; older browsers don't have it.
 *
 * @type {typeof Symbol.asyncDispose}
 */
export const asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
