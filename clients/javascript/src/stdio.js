import { spawn } from "node:child_process";
import { ConnectionClosedError } from "./errors.js";
import { lines } from "./lines.js";

/**
 * A way to a server that is a program of one's own machine: starts it, and speaks over its standard input and output.
 *
 * @param {readonly [string, ...string[]]} command the program and its arguments; no shell comes in between
 * @param {object} options
 * @param {string} [options.cwd] the folder that it runs in
 * @param {Record<string, string | undefined>} [options.env] its environment, instead of this process's
 * @param {(line: string) => void} [options.log] gets each line of its standard error
 * @param {number} [options.patience] milliseconds that it has to end in when its input has; then it is killed
 * @returns {ProgramTransport}
 *
 * @typedef {import("./types.js").Transport} Transport
 * @typedef {import("./types.js").Link & {pid: number | undefined}} ProgramLink a link that knows its process
 * @typedef {Transport & {open(...open: Parameters<Transport["open"]>): Promise<ProgramLink>}} ProgramTransport
 */
export function stdio(command, { cwd, env, log, patience = 5000 } = {}) {
  if (!Array.isArray(command) || command.length === 0) {
    throw new TypeError('stdio takes the program and its arguments as a list: stdio(["nagare"]).');
  }
  const [program, ...args] = command;
  return {
    open(events, { signal }) {
      return new Promise((resolve, reject) => {
        const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
        let spawned = false;
        let closing = false;
        let lastWords = "";
        /** @type {(() => void)[]} */
        const ended = [];
        const abort = () => child.kill("SIGKILL");
        signal?.addEventListener("abort", abort, { once: true });

        const endIn = (/** @type {number} */ milliseconds) => {
          const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
          ended.push(() => clearTimeout(timer));
        };

        child.once("spawn", () => {
          signal?.removeEventListener("abort", abort);
          if (signal?.aborted) return;
          spawned = true;
          resolve({
            pid: child.pid,
            send: (text) => void child.stdin.write(`${text}\n`),
            close: () =>
              new Promise((resolve) => {
                if (child.exitCode !== null || child.signalCode !== null) return resolve();
                if (!closing) endIn(patience);
                closing = true;
                ended.push(resolve);
                child.stdin.end();
              }),
          });
        });
        // A write to a program that has ended: its end tells why.
        child.stdin.on("error", () => {});

        child.stdout.setEncoding("utf8").on("data", lines((line) => events.message(line)));
        // Without its output nothing can come of it.
        child.stdout.once("end", () => {
          child.stdin.end();
          endIn(patience);
        });
        child.stderr.setEncoding("utf8").on("data", lines((line) => {
          lastWords = line;
          log?.(line);
        }));

        child.once("error", (cause) => {
          for (const done of ended.splice(0)) done();
          reject(new ConnectionClosedError(`${program} can't be started: ${cause.message}${remedy(program, cause)}`, { cause }));
        });
        let over = false;
        const end = () => {
          if (over) return;
          over = true;
          for (const done of ended.splice(0)) done();
          const why = new ConnectionClosedError(obituary(program, child.exitCode, child.signalCode, lastWords));
          if (!spawned) return reject(signal?.aborted ? signal.reason : why);
          events.close(closing && child.exitCode === 0 ? null : why);
        };
        // What it said last is still read, unless a program that it left behind holds its output open.
        child.once("exit", () => {
          const timer = setTimeout(end, 1000);
          ended.push(() => clearTimeout(timer));
        });
        child.once("close", end);
      });
    },
  };
}

/**
 * What helps where a program wasn't found by its name alone.
 *
 * @param {string} program
 * @param {Error & {code?: string}} cause
 */
function remedy(program, { code }) {
  return code === "ENOENT" && !/[\\/]/.test(program) ? ". Is it in PATH? Name it by its path otherwise." : "";
}

/**
 * @param {string} program
 * @param {number | null} status
 * @param {string | null} signal
 * @param {string} lastWords
 */
function obituary(program, status, signal, lastWords) {
  const how = signal ? `was ended by ${signal}` : `ended with status ${status}`;
  return `${program} ${how}${lastWords && `: ${lastWords}`}`;
}
