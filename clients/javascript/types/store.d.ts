/**
 * Something to watch, for React's `useSyncExternalStore` and as a Svelte store.
 *
 * @param {import("./outputs.js").Outputs} outputs
 * @param {string} output
 * @param {() => any} getSnapshot
 * @returns {import("./types.js").Store<any>}
 */
export function makeStore(outputs: import("./outputs.js").Outputs, output: string, getSnapshot: () => any): import("./types.js").Store<any>;
