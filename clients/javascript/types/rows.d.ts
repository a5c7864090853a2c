/**
 * A list that is kept by splices. Whoever reads it gets an array that never changes: it is copied by the next
 * splice, and only if somebody has read it.
 */
export class Rows {
    /**
     * @param {any[]} rows
     * @param {number} revision
     */
    constructor(rows: any[], revision: number);
    /** @returns {readonly any[]} */
    get array(): readonly any[];
    /**
     * Makes a change that the server said. False, and nothing has changed, if it isn't a change of this list.
     *
     * @param {{base: number, revision: number, count: number, splices: Splice[]}} change
     * @returns {boolean}
     *
     * @typedef {{start: number, deleteCount: number, items: any[]}} Splice
     */
    apply({ base, revision, count, splices }: {
        base: number;
        revision: number;
        count: number;
        splices: {
            start: number;
            deleteCount: number;
            items: any[];
        }[];
    }): boolean;
    #private;
}
