/**
 * The screens of a server, as `rpc.discover` describes them. The kind of a screen follows from its inputs and outputs, not from its name.
 *
 * @typedef {object} Schema the keywords that are used here
 * @property {string | string[]} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [format]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema} [items]
 * @property {any[]} [enum]
 * @property {any} [const]
 * @property {any} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [pattern]
 *
 * @typedef {{name: string, summary: string, params: Schema}} Input
 * @typedef {{name: string, summary: string, kind: "state" | "list" | "event", value: Schema}} Output
 * @typedef {"list" | "search" | "pager" | "choice" | "feed" | "task" | "other"} Kind
 *
 * @typedef {object} ScreenInfo
 * @property {string} screen
 * @property {Kind} kind
 * @property {boolean} opensByName whether it opens without parameters
 * @property {boolean} windowed whether its list can be opened with a window
 * @property {Map<string, Input>} inputs
 * @property {Map<string, Output>} outputs
 * @property {import("../text/item-display.js").Display} display
 */

/**
 * Returns the screens of a server, in its order.
 *
 * @param {any} document
 * @returns {ScreenInfo[]}
 */
export function readScreens(document) {
  return document["x-screens"].map((/** @type {any} */ screen) => {
    const windowed = screen.params?.properties?.window !== undefined;
    const { inputs, outputs, configured } = portsOf(windowed ? withWindow(screen) : screen, document);
    return {
      screen: screen.screen,
      kind: kindOf(inputs, outputs, configured),
      // A screen without `params` is opened only by other views.
      opensByName: screen.params !== undefined && !screen.params.required?.length,
      windowed,
      inputs,
      outputs,
      display: { ...screen.display, ...(screen.id && { id: screen.id }) },
    };
  });
}

/**
 * Adds the ports that a list has when it is opened with a window.
 *
 * @param {any} screen
 */
function withWindow({ inputs, outputs, ...rest }) {
  return { ...rest, inputs: [...new Set([...inputs, "jump"])], outputs: [...new Set([...outputs, "scrollTo"])] };
}

/**
 * @param {{screen: string, viewModel: string, inputs: string[], outputs: string[]}} screen
 * @param {any} document
 */
function portsOf({ viewModel, inputs, outputs }, document) {
  // The document describes only one of several view models with the same name.
  const model = document["x-viewModels"].find((/** @type {any} */ described) => described.viewModel === viewModel);
  const described = (/** @type {any[]} */ parts, /** @type {string} */ name) => parts?.find((part) => part.name === name);
  const input = (/** @type {string} */ name) => ({ params: {}, summary: "", ...described(model?.inputs, name), name });
  const output = (/** @type {string} */ name) => {
    const { value = {}, members } = described(document["x-notifications"], name) ?? {};
    return { kind: members ? "list" : "state", summary: "", value, ...described(model?.outputs, name), name };
  };
  return {
    inputs: new Map(inputs.map((name) => [name, input(name)])),
    outputs: new Map(outputs.map((name) => [name, output(name)])),
    configured: Boolean(model?.configured),
  };
}

/**
 * Returns the kind of a screen with these inputs and outputs.
 *
 * @param {Map<string, Input>} inputs
 * @param {Map<string, Output>} outputs
 * @param {boolean} configured whether the screen runs tasks: one for each input, with the outcome in the output at the same position
 * @returns {Kind}
 */
function kindOf(inputs, outputs, configured) {
  const simple = (/** @type {string} */ name) => inputs.has(name) && parametersOf(inputs.get(name)).length === 0;
  const lists = [...outputs.values()].filter(({ kind, value }) => kind === "list" || (kind === "state" && isType(value, "array")));
  const others = [...outputs.keys()].filter((name) => !["loading", "error", ...lists.map(({ name }) => name)].includes(name));
  if (outputs.has("page") && inputs.has("swipe")) return "pager";
  if (lists.some(({ name }) => name === "items") && simple("reachBottom")) return inputs.has("search") ? "search" : "list";
  if (lists.length === 1 && others.length === 0 && inputs.size === 1 && simple("refresh")) return "feed";
  if (lists.length === 1 && others.join() === "dismiss" && inputs.size === 1) return "choice";
  return configured ? "task" : "other";
}

/**
 * Returns the names of an input's parameters, without those that replace an item by all marked items.
 *
 * @param {Input | undefined} input
 */
export function parametersOf(input) {
  const names = Object.keys(input?.params.properties ?? {});
  return names.includes("marked") ? names.filter((name) => name !== "marked" && name !== "set") : names;
}

/**
 * Whether the values of a schema have a type. It may allow null as well.
 *
 * @param {Schema} schema
 * @param {string} type
 */
export function isType(schema, type) {
  const types = [schema.type ?? []].flat().filter((name) => name !== "null");
  return types.length === 1 && types[0] === type;
}
