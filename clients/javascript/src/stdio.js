import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { ConnectionClosedError } from "./errors.js";
import { lines } from "./lines.js";

/**
 * A transport that starts a program and uses its standard input and output. The program runs in a new session, so signals of the
 * terminal, such as Ctrl-C, don't reach it. When this process ends, the server's input ends, and with it the server. When the server
 * has ended, the processes left in its session are killed.
 *
 * @param {readonly [string, ...string[]]} command the program and its arguments; no shell is involved
 * @param {object} options
 * @param {string} [options.cwd] its working directory
 * @param {Record<string, string | undefined>} [options.env] its environment, instead of this process's
 * @param {(line: string) => void} [options.log] called with each line of its standard error, of which 65,536 characters are kept
 * @param {number} [options.patience] how long it may take to end when the session is closed, in milliseconds, before it and its process
 *   group get SIGTERM. After the same time again they get SIGKILL
 * @returns {ProgramTransport}
 *
 * @typedef {import("./types.js").Transport} Transport
 * @typedef {import("./types.js").Link & {pid: number | undefined}} ProgramLink a link that knows its process
 * @typedef {Transport & {open(...open: Parameters<Transport["open"]>): Promise<ProgramLink>}} ProgramTransport
 */
export function stdio(command, { cwd, env, log, patience = 3000 } = {}) {
  if (!Array.isArray(command) || command.length === 0) {
    throw new TypeError('stdio takes the program and its arguments as a list: stdio(["nagare"]).');
  }
  const [program, ...args] = command;
  return {
    open(events, { signal }) {
      return new Promise((resolve, reject) => {
        const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: !WINDOWS, windowsHide: true });
        let spawned = false;
        let closing = false;
        let lastWords = "";
        /** The line with the reason of the crash. A backtrace may follow it. */
        let reason = "";
        /** Whether output was received since the last check. */
        let heard = false;
        /** @type {(() => void)[]} */
        const ended = [];
        const abort = () => kill(child, "SIGKILL");
        signal?.addEventListener("abort", abort, { once: true });

        const after = (/** @type {number} */ milliseconds, /** @type {() => void} */ act) => {
          const timer = setTimeout(act, milliseconds);
          ended.push(() => clearTimeout(timer));
        };
        const endByForce = () => {
          after(patience, () => kill(child, "SIGTERM"));
          after(2 * patience, () => kill(child, "SIGKILL"));
        };

        child.once("spawn", () => {
          signal?.removeEventListener("abort", abort);
          if (signal?.aborted) return;
          spawned = true;
          resolve({
            pid: child.pid,
            send: (text) => void child.stdin.write(`${text}\n`),
            close: (farewell) =>
              new Promise((resolve) => {
                if (over) return resolve();
                ended.push(resolve);
                if (closing) return;
                closing = true;
                const leave = () => {
                  if (child.stdin.writable) farewell?.exit();
                  child.stdin.end();
                };
                if (!farewell) leave();
                void farewell?.shutdown().then(leave);
                after(patience / 2, leave);
                endByForce();
              }),
          });
        });
        // Ignores failed writes to a program that has ended. Its end is reported with the reason.
        child.stdin.on("error", () => {});

        const hear = (/** @type {(line: string) => void} */ take, /** @type {number | undefined} */ most) => {
          const cut = lines(take, most);
          return (/** @type {string} */ piece) => {
            heard = true;
            cut(piece);
          };
        };
        child.stdout.setEncoding("utf8").on("data", hear((line) => events.message(line)));
        // Without its output the program is useless.
        child.stdout.once("end", () => {
          child.stdin.end();
          if (!closing) endByForce();
        });
        child.stderr.setEncoding("utf8").on("data", hear((line) => {
          lastWords = line;
          if (CRASH.test(line)) reason = line;
          try {
            log?.(line);
          } catch (error) {
            events.warn?.(error);
          }
        }, MAX_LOG_LINE));

        child.once("error", (cause) => {
          over = true;
          for (const done of ended.splice(0)) done();
          reject(new ConnectionClosedError(`${program} can't be started: ${cause.message}${remedy(program, cause)}`, { cause }));
        });
        let over = false;
        const end = () => {
          if (over) return;
          over = true;
          // Other processes that hold the pipes open mustn't keep this one alive.
          for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
          for (const done of ended.splice(0)) done();
          const why = new ConnectionClosedError(obituary(program, child.exitCode, child.signalCode, reason || lastWords));
          if (!spawned) return reject(signal?.aborted ? signal.reason : why);
          events.close(closing && child.exitCode === 0 ? null : why);
        };
        // The last output is in the pipes, and the next turns of the event loop read it. The pipes may never end, because
        // another process can hold them open.
        const drain = (/** @type {number} */ turns) => {
          heard = false;
          setImmediate(() => setImmediate(() => (heard && turns > 0 ? drain(turns - 1) : end())));
        };
        child.once("exit", () => {
          killSession(child);
          drain(MOST_TURNS);
        });
        child.once("close", end);
      });
    },
  };
}

const WINDOWS = process.platform === "win32";

const CRASH = /\b(?:Fatal error|Precondition failed|Assertion failed|panicked at)\b/;

/** The most characters of a line of standard error that are kept. */
const MAX_LOG_LINE = 65_536;

/** The turns of the event loop that read everything a pipe can hold. */
const MOST_TURNS = 64;

/**
 * Sends a signal to a program and its process group.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} signal
 */
function kill(child, signal) {
  if (WINDOWS || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Kills the processes left in the session of a program: its process group and, on Linux, other groups.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
function killSession(child) {
  kill(child, "SIGKILL");
  let entries;
  try {
    entries = readdirSync("/proc");
  } catch {
    return;
  }
  for (const entry of entries.filter((name) => /^\d+$/.test(name))) {
    try {
      // The name, in parentheses, can contain anything. State, parent, group and session follow it.
      const [, , , session] = readFileSync(`/proc/${entry}/stat`, "latin1").replace(/^.*\) /s, "").split(" ");
      if (Number(session) === child.pid) process.kill(Number(entry), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/**
 * Returns a hint if a program wasn't found by its name.
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
