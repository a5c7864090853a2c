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

/** How often the blocks of modules were executed since the last call. */
function executedBlocks() {
  const { result } = post("Profiler.takePreciseCoverage");
  const ranges = result.filter(({ url }) => url.startsWith("file:")).flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** The built-in functions that read texts, and how many characters of `text` a call has read. */
const READERS = [
  [String.prototype, "indexOf", (text, found, [part, start = 0]) => (found < 0 ? text.length - start : found - start + part.length)],
  [String.prototype, "lastIndexOf", (text, found) => text.length - found],
  [String.prototype, "includes", (text) => text.length],
  [String.prototype, "slice", (_, part) => part.length],
  [String.prototype, "substring", (_, part) => part.length],
  [String.prototype, "split", (text) => text.length],
  [String.prototype, "trim", (text, part) => text.length - part.length],
  [String.prototype, "trimStart", (text, part) => text.length - part.length],
  [String.prototype, "trimEnd", (text, part) => text.length - part.length],
  [String.prototype, "toLowerCase", (text) => text.length],
  [String.prototype, "toUpperCase", (text) => text.length],
  [String.prototype, "repeat", (_, whole) => whole.length],
  [String.prototype, "padEnd", (_, whole) => whole.length],
  [String.prototype, "padStart", (_, whole) => whole.length],
  [Array.prototype, "join", (_, whole) => whole.length],
];

/** Counts what the built-in functions read while `work` runs. A search by a pattern counts what lies before its end. */
function readCharacters(work) {
  let count = 0;
  const replaced = READERS.map(([owner, name, cost]) => [owner, name, owner[name], cost]);
  for (const [owner, name, original, cost] of replaced) {
    owner[name] = function (...given) {
      const result = original.apply(this, given);
      count += 1 + Math.max(0, cost(this, result, given));
      return result;
    };
  }
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    const start = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const end = match ? match.index + match[0].length : this.sticky ? start : String(text).length;
    count += 1 + Math.max(0, end - start);
    return match;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
    for (const [owner, name, original] of replaced) owner[name] = original;
  }
  return count;
}

/** How many steps a function takes: blocks of modules that it executes, and characters that built-in functions read for it. */
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
