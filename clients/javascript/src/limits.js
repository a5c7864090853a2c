import { ErrorCode } from "./codes.js";
import { LimitPassedError } from "./errors.js";

/**
 * Returns the error if the server can't read a message; null if it can.
 *
 * @param {string} text of the message
 * @param {import("./types.js").Limits} limits of the server
 */
export function limitError(text, { messageSize, depth }) {
  // A character has at most three bytes.
  if (text.length * 3 > messageSize) {
    const size = new TextEncoder().encode(text).length;
    if (size > messageSize) {
      const what = `The message has ${size} bytes, and the server reads ${messageSize} at most.`;
      const remedy = "Send less at once, or start the server with a higher --max-message-size.";
      return new LimitPassedError(`${what} ${remedy}`, { code: ErrorCode.limitPassed, data: { limit: "messageSize", max: messageSize } });
    }
  }
  // Each level has two brackets.
  return text.length > 2 * depth && isDeeper(text, depth) ? depthError(depth) : null;
}

/**
 * Creates the error for a value that is nested too deeply.
 *
 * @param {number} [depth] the server's limit if it is known
 */
export function depthError(depth) {
  const most = depth === undefined ? "can be written" : `${depth}, the most that the server reads`;
  const what = `The message nests arrays and objects deeper than ${most}.`;
  const remedy = "Send a flatter value, or start the server with a higher --max-depth.";
  return new LimitPassedError(`${what} ${remedy}`, { code: ErrorCode.limitPassed, data: { limit: "depth", max: depth } });
}

/**
 * @param {string} text
 * @param {number} depth
 */
function isDeeper(text, depth) {
  // A pattern for strings would overflow the stack at long ones.
  let open = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString) at += Number(character === "\\");
    else if (character === "[" || character === "{") open += 1;
    else if (character === "]" || character === "}") open -= 1;
    if (open > depth) return true;
  }
  return false;
}
