// Counts the steps of a function. Unlike times, the counts don't depend on the machine or its load.
import { Session } from "node:inspector";

const session = new Session();
session.connect();

function post(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(error.message);
    answer = result;
  });
  return answer;
}

// Of functions that ran before this, only calls are counted, not blocks. So this module must be imported before the measured ones.
post("Profiler.enable");
post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** Returns how many blocks of other modules were executed since the last call. */
function executedBlocks() {
  const { result } = post("Profiler.takePreciseCoverage");
  const ranges = result.filter(({ url }) => url.startsWith("file:") && url !== import.meta.url).flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number of characters or elements up to the end of the found part. */
const searched = (found, whole, part) => (found < 0 ? whole.length : found + part);
const all = (whole) => whole.length;
const made = (_, result) => result.length;
const removed = (text, result) => text.length - result.length;

/** Built-in functions whose steps are the elements that they read or create. Each counts them from its `this`, result and arguments. */
const BUILT_IN = [
  [String.prototype, {
    indexOf: (text, found, [part, start = 0]) => Math.max(0, searched(found, text, String(part).length) - start),
    lastIndexOf: (text, found) => text.length - found,
    includes: all, localeCompare: all, normalize: all, replace: all, replaceAll: all, split: all, toLowerCase: all, toUpperCase: all,
    concat: made, padEnd: made, padStart: made, repeat: made, slice: made, substring: made,
    trim: removed, trimEnd: removed, trimStart: removed,
    endsWith: (_, __, [part]) => part.length,
    startsWith: (_, __, [part]) => part.length,
  }],
  [Array.prototype, {
    includes: all, fill: all, filter: all, flatMap: all, forEach: all, map: all, reverse: all, shift: all, sort: all, unshift: all,
    concat: made, flat: made, join: made, slice: made,
    indexOf: (array, found) => searched(found, array, 1),
    lastIndexOf: (array, found) => array.length - found,
    splice: (array, _, [start]) => Math.max(0, array.length - start),
  }],
  [Object, { assign: (_, __, [, ...sources]) => sources.reduce((sum, source) => sum + Object.getOwnPropertyNames(source ?? 0).length, 0), entries: made, keys: made, values: made }],
  [JSON, { parse: (_, __, [text]) => text.length, stringify: (_, text) => text?.length ?? 0 }],
  // Spreading and destructuring call these.
  ...[[], "", new Set(), new Map()].map((iterable) => [Object.getPrototypeOf(iterable[Symbol.iterator]()), { next: () => 0 }]),
  [RegExp.prototype, { exec: null }],
];

/**
 * Counts the characters and elements that built-in functions read or create while `work` runs. A search by a pattern counts the
 * characters up to the match's end. `clients/behaviour/pattern_steps.py` counts its backtracking.
 */
function readCharacters(work) {
  let count = 0;
  const { exec } = RegExp.prototype;
  const counted = (original, cost) =>
    function (...given) {
      const result = original.apply(this, given);
      count += 1 + cost(this, result, given);
      return result;
    };
  const countedSearch = function (text) {
    const start = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const end = match ? match.index + match[0].length : this.sticky ? start : String(text).length;
    count += 1 + Math.max(0, end - start);
    return match;
  };
  const originals = BUILT_IN.flatMap(([owner, costs]) => Object.entries(costs).map(([name, cost]) => ({ owner, name, original: owner[name], cost })));
  const replacements = originals.map(({ original, cost }) => (cost ? counted(original, cost) : countedSearch));
  const put = ({ owner, name }, value) => Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), value });
  for (let place = 0; place < originals.length; place += 1) put(originals[place], replacements[place]);
  try {
    work();
  } finally {
    for (let place = 0; place < originals.length; place += 1) put(originals[place], originals[place].original);
  }
  return count;
}

/** Returns the steps of a function: the executed blocks, and the characters and elements that built-in functions read or create. */
export function steps(work) {
  executedBlocks();
  const read = readCharacters(work);
  return read + executedBlocks();
}

/** Returns how much the steps grow if the input is ten times as long: about 10 times if linear, 100 times if quadratic. */
export function growth(work, length) {
  work(length);
  const [few, many] = [length, 10 * length].map((length) => steps(() => work(length)));
  return many / few;
}
