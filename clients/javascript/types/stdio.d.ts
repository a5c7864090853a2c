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
export function stdio(command: readonly [string, ...string[]], { cwd, env, log, patience }?: {
    cwd?: string | undefined;
    env?: Record<string, string | undefined> | undefined;
    log?: ((line: string) => void) | undefined;
    patience?: number | undefined;
}): ProgramTransport;
/**
 * A way to a server that is a program of one's own machine: starts it, and speaks over its standard input and output.
 */
export type Transport = import("./types.js").Transport;
/**
 * a link that knows its process
 */
export type ProgramLink = import("./types.js").Link & {
    pid: number | undefined;
};
/**
 * A way to a server that is a program of one's own machine: starts it, and speaks over its standard input and output.
 */
export type ProgramTransport = import("./types.js").Transport & {
    open(events: import("./types.js").TransportEvents, options: import("./types.js").Options): Promise<ProgramLink>;
};
