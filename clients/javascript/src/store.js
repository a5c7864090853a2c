/**
 * Something to watch, for React's `useSyncExternalStore` and as a Svelte store.
 *
 * @param {import("./outputs.js").Outputs} outputs
 * @param {string} output
 * @param {() => any} getSnapshot
 * @returns {import("./types.js").Store<any>}
 */
export function makeStore(outputs, output, getSnapshot) {
  return {
    getSnapshot,
    subscribe(callback) {
      const unsubscribe = outputs.subscribe(output, () => callback(getSnapshot()));
      // Svelte wants the value at once; React looks whether it is another one, and finds that it isn't.
      callback(getSnapshot());
      return unsubscribe;
    },
  };
}
