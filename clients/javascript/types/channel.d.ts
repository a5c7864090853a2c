/**
 * Values on their way to whoever iterates.
 *
 * @template Value
 * @implements {AsyncIterableIterator<Value>}
 */
export class Channel<Value> implements AsyncIterableIterator<Value> {
    /**
     * @param {{latest: boolean, released: () => void}} options `latest`: a value that nobody took gives way to a newer
     *   one; `released` is called once, when nothing will be taken any more
     */
    constructor({ latest, released }: {
        latest: boolean;
        released: () => void;
    });
    /** @param {Value} value */
    push(value: Value): void;
    /**
     * Ends the iteration after what was pushed; with an error, by throwing it.
     *
     * @param {{error?: unknown}} [end]
     */
    end(end?: {
        error?: unknown;
    } | undefined): void;
    /** @returns {Promise<IteratorResult<Value, undefined>>} */
    next(): Promise<IteratorResult<Value, undefined>>;
    /** @returns {Promise<IteratorResult<Value, undefined>>} */
    return(): Promise<IteratorResult<Value, undefined>>;
    [Symbol.asyncIterator](): Channel<Value>;
    #private;
}
