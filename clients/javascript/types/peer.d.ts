/**
 * @param {unknown} error null if the connection was closed in good order
 * @returns {ConnectionClosedError}
 */
export function closedError(error: unknown): ConnectionClosedError;
/**
 * @typedef {object} Waiting a request that isn't answered yet
 * @property {string} method
 * @property {any} params
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {any} [opened] the view that it opened
 *
 * @typedef {Pick<import("./connection.js").Owner, "serve" | "hear" | "warn">} Speaker who is spoken for
 */
/**
 * @template Result
 * @typedef {object} RequestOptions
 * @property {AbortSignal | undefined} [signal]
 * @property {(result: any, request: Waiting) => Result} [take] makes of the answer what the promise resolves to, before
 *   the next message is looked at
 * @property {(result: any) => void} [late] gets the answer that comes after the signal
 */
/** One side of a JSON-RPC 2.0 dialogue: requests and their answers, in both directions. One connection has one peer. */
export class Peer {
    /** @param {Speaker} speaker */
    constructor(speaker: Speaker);
    /** @param {(text: string) => void} send */
    begin(send: (text: string) => void): void;
    /**
     * Everyone who waits, and everyone who comes, gets this error.
     *
     * @param {NagareError} error
     */
    end(error: NagareError): void;
    /**
     * The oldest request that waits and fits.
     *
     * @param {(request: Waiting) => boolean} fits
     */
    oldest(fits: (request: Waiting) => boolean): Waiting | undefined;
    /**
     * @template Result
     * @param {string} method
     * @param {object} params
     * @param {RequestOptions<Result>} options
     * @returns {Promise<Result>}
     */
    request<Result>(method: string, params: object, { signal, take, late }?: RequestOptions<Result>): Promise<Result>;
    /**
     * @param {string} method
     * @param {object} params
     */
    notify(method: string, params: object): void;
    /**
     * Takes one message. What can't be used is told as a warning, and the next one works.
     *
     * @param {string} text
     */
    receive(text: string): void;
    #private;
}
/**
 * a request that isn't answered yet
 */
export type Waiting = {
    method: string;
    params: any;
    resolve: (result: any) => void;
    reject: (error: unknown) => void;
    /**
     * the view that it opened
     */
    opened?: any;
};
/**
 * who is spoken for
 */
export type Speaker = Pick<import("./connection.js").Owner, "serve" | "hear" | "warn">;
export type RequestOptions<Result> = {
    signal?: AbortSignal | undefined;
    /**
     * makes of the answer what the promise resolves to, before
     * the next message is looked at
     */
    take?: ((result: any, request: Waiting) => Result) | undefined;
    /**
     * gets the answer that comes after the signal
     */
    late?: ((result: any) => void) | undefined;
};
import { ConnectionClosedError } from "./errors.js";
import { NagareError } from "./errors.js";
