/**
 * Creates a store for React's `useSyncExternalStore`, which is a Svelte store as well.
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
      // Svelte expects the value at once. React compares it and finds it unchanged.
      callback(getSnapshot());
      return unsubscribe;
    },
  };
}
