// Counts the steps of a function. The counts don't depend on the machine or on what else runs there, as times would.
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

// Functions that run before this are counted by their calls alone, so this module is imported before what it counts.
post("Profiler.enable");
post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** How often the blocks of modules, except this one, were executed since the last call. */
function executedBlocks() {
  const { result } = post("Profiler.takePreciseCoverage");
  const ranges = result.filter(({ url }) => url.startsWith("file:") && url !== import.meta.url).flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** How many characters or elements lie before the end of what was found. */
const searched = (found, whole, part) => (found < 0 ? whole.length : found + part);
const all = (whole) => whole.length;
const made = (_, result) => result.length;
const removed = (text, result) => text.length - result.length;

/** The built-in functions that take as many steps as they read or make: given are what they are called on, their result and their arguments. */
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

/** Counts what built-in functions read and make while `work` runs. A search by a pattern counts what lies before its end: how it goes back is counted by `clients/behaviour/pattern_steps.py`. */
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

/** How many steps a function takes: blocks of modules that it executes, and characters and elements that built-in functions read or make for it. */
export function steps(work) {
  executedBlocks();
  const read = readCharacters(work);
  return read + executedBlocks();
}

/** How many times as many steps an input of ten times the length takes: some 10 if they are linear, 100 if they are quadratic. */
export function growth(work, length) {
  work(length);
  const [few, many] = [length, 10 * length].map((length) => steps(() => work(length)));
  return many / few;
}
