import { ViewBase } from "./view.js";

/** Names that every view has itself; `then` would make a promise of it. */
const OWN = new Set(["view", "screen", "viewModel", "then"]);

/**
 * The class of a screen's views: outputs as properties, inputs as methods.
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
 * An input of a view as a function, which may be handed on by itself.
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
