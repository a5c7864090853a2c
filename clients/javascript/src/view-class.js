import { ViewBase } from "./view.js";

/** Properties of every view. A property `then` would make a promise of it. */
const OWN = new Set(["view", "screen", "viewModel", "then"]);

/**
 * Creates the class of a screen's views. Outputs are properties, inputs are methods.
 *
 * @param {{inputs: string[], outputs: string[]}} screen
 * @returns {typeof ViewBase}
 */
export function viewClass({ inputs, outputs }) {
  const Class = class View extends ViewBase {};
  const define = (/** @type {string} */ name, /** @type {PropertyDescriptor} */ property) => {
    if (name in Class.prototype || OWN.has(name)) return;
    Object.defineProperty(Class.prototype, name, { ...property, enumerable: true });
  };
  for (const output of outputs) {
    define(output, {
      /** @this {ViewBase} */
      get() {
        return this.value(output);
      },
    });
  }
  for (const input of inputs) {
    define(input, {
      /** @this {ViewBase} */
      get() {
        const value = asFunction(this, input);
        Object.defineProperty(this, input, { value, enumerable: true });
        return value;
      },
    });
  }
  return Class;
}

/**
 * Returns an input of a view as a function that needs no `this`.
 *
 * @param {ViewBase} view
 * @param {string} input
 * @returns {import("./types.js").Input<any>}
 */
function asFunction(view, input) {
  const call = (/** @type {any} */ params, /** @type {any} */ options) => view.call(input, params, options);
  return Object.assign(call, {
    open: (/** @type {any} */ params, /** @type {any} */ options) => view.open(input, params, options),
    send: (/** @type {any} */ params) => view.send(input, params),
  });
}
