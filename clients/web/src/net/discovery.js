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
 * @property {string} [confirmRemoval] the question that the server asks before a removal
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
      confirmRemoval: screen.confirmRemoval,
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

/** The inputs that load more of a list. They count only if they have no required parameters. */
const LOADING_INPUTS = ["reachBottom", "reachTop", "loadMore"];
/** The inputs that load the first page, the preferred ones first. */
const FIRST_INPUTS = ["viewWillAppear", "viewDidAppear", "appear", "refresh", "load"];
/** The inputs of a list that loads all its rows at once. */
const FEED_INPUTS = [...FIRST_INPUTS, "disappear", "retry"];
/** The inputs that only report whether the view is shown. */
const SHOWN_INPUTS = ["appear", "disappear"];
/** The states that describe the loading and failures of the others. */
export const STATUS_STATES = ["loading", "error", "state"];

/**
 * Returns the kind of a screen with these inputs and outputs: the first that fits, in the order of the specification's table.
 *
 * @param {Map<string, Input>} inputs
 * @param {Map<string, Output>} outputs
 * @param {boolean} configured whether the screen runs tasks: one for each input, with the outcome in the output at the same position
 * @returns {Kind}
 */
function kindOf(inputs, outputs, configured) {
  const states = [...outputs.values()].filter(({ kind }) => kind !== "event");
  const arrays = states.filter(({ kind, value }) => kind === "list" || isType(value, "array"));
  const rows = arrays.length === 1 && states.every((state) => state === arrays[0] || STATUS_STATES.includes(state.name)) ? arrays[0] : undefined;
  if (isPage(outputs.get("page")) && takes(inputs, "swipe", "to", true)) return "pager";
  const loads = inputs.has("viewport") || LOADING_INPUTS.some((name) => takesNothing(inputs, name));
  if (arrays.some(({ name }) => name === "items") && (loads || takes(inputs, "select", "id"))) {
    return takes(inputs, "search", "text") && states.some(({ name }) => name === "query") ? "search" : "list";
  }
  if (rows && choosingInput(inputs, outputs)) return "choice";
  if (rows && mayBeObjects(rows.value.items) && [...inputs.keys()].every((name) => FEED_INPUTS.includes(name) && takesNothing(inputs, name))) return "feed";
  return configured ? "task" : "other";
}

/**
 * Whether an output may be the page of a pager.
 *
 * @param {Output | undefined} page
 */
function isPage(page) {
  if (!page || page.kind === "event" || (page.value.type !== undefined && !isType(page.value, "object"))) return false;
  const members = Object.keys(page.value.properties ?? {});
  return members.length === 0 || ["id", "index", "item"].every((name) => members.includes(name));
}

/**
 * Whether there is an input with a parameter.
 *
 * @param {Map<string, Input>} inputs
 * @param {string} name
 * @param {string} parameter
 * @param {boolean} [orUndescribed] whether its parameters may be unknown
 */
function takes(inputs, name, parameter, orUndescribed = false) {
  const parameters = Object.keys(inputs.get(name)?.params.properties ?? {});
  return inputs.has(name) && (parameters.includes(parameter) || (orUndescribed && parameters.length === 0));
}

/**
 * Returns the input that chooses one of several values.
 *
 * @param {Map<string, Input>} inputs
 * @param {Map<string, Output>} outputs
 */
export function choosingInput(inputs, outputs) {
  const choose = inputs.get("choose");
  if (choose) return requiredOf(choose).length <= 1 ? choose : undefined;
  const [only, ...others] = [...inputs.values()].filter(({ name }) => !SHOWN_INPUTS.includes(name));
  const isLeft = outputs.get("dismiss")?.kind === "event";
  return isLeft && others.length === 0 && parametersOf(only).length === 1 ? only : undefined;
}

/** @param {Schema | undefined} items the schema of an array's items */
function mayBeObjects(items) {
  return items?.type === undefined || isType(items, "object");
}

/**
 * Whether an input exists and has no required parameters.
 *
 * @param {Map<string, Input> | undefined} inputs
 * @param {string} name
 */
export function takesNothing(inputs, name) {
  return Boolean(inputs?.has(name)) && requiredOf(inputs?.get(name)).length === 0;
}

/**
 * Whether the page can undo edits that the server delays: by the input `undo`, while the state `undoable` describes an edit.
 *
 * @param {Pick<ScreenInfo, "inputs" | "outputs">} info
 */
export function canUndo({ inputs, outputs }) {
  return takesNothing(inputs, "undo") && outputs.has("undoable");
}

/**
 * Returns the input that loads the first page. If it is `appear`, the page loads when the view is shown.
 *
 * @param {Map<string, Input>} inputs
 */
export function firstInputOf(inputs) {
  return FIRST_INPUTS.find((name) => takesNothing(inputs, name));
}

/** @param {Input | undefined} input */
function requiredOf(input) {
  return input?.params.required ?? [];
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
