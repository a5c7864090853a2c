/**
 * Whether two ids are the same to the server.
 *
 * @param {unknown} one
 * @param {unknown} other
 */
export function sameId(one: unknown, other: unknown): boolean;
/**
 * The value of a JSON text. Integers beyond 2⁵³ are bigints; other numbers that a double doesn't hold, and integers of
 * thousands of digits, are {@link ExactNumber}s.
 *
 * @param {string} text
 * @returns {any}
 */
export function parse(text: string): any;
/**
 * The JSON text of a value: what JavaScript's own `stringify` gives, but for bigints and {@link ExactNumber}s, which are
 * numbers as they are.
 *
 * @param {any} value
 * @returns {string}
 */
export function stringify(value: any): string;
/**
 * A number that is neither a safe integer nor a double, such as `1e400`: the nearest `Number` that there is, which
 * knows its text. As that it goes back to the server.
 */
export class ExactNumber extends Number {
    /** @param {string} text as JSON has it */
    constructor(text: string);
    /** As it came. */
    text: string;
    /** @override */
    override toString(): string;
    /** What JavaScript's own `JSON` writes, which can't do better. */
    toJSON(): number;
    /**
     * Whether another is the same number, however it is spelled.
     *
     * @param {unknown} other
     */
    equals(other: unknown): boolean;
}
