/** Where those who watch all outputs stand among them; no output has this name. */
export const EVERYTHING: "";
/** A view's outputs: what is current, and who wants to know. */
export class Outputs {
    /** @param {Record<string, any>} outputs what is current, as the server says it */
    constructor(outputs: Record<string, any>);
    /**
     * Whether an output is a state, which always has a current value; else it is an event.
     *
     * @param {string} output
     */
    has(output: string): boolean;
    /**
     * @param {string} output
     * @returns {any}
     */
    get(output: string): any;
    /** All values, in an object that never changes. */
    get current(): any;
    /**
     * @param {string} output
     * @param {(value: any) => void} callback
     * @returns {() => void}
     */
    subscribe(output: string, callback: (value: any) => void): () => void;
    /**
     * Takes what was said. False if it is a change of something that isn't here: then only all that is current will help.
     *
     * @param {string} output
     * @param {any} said the notification's params
     */
    hear(output: string, said: any): boolean;
    /**
     * Takes all that is current, and tells everyone.
     *
     * @param {Record<string, any>} outputs
     */
    replace(outputs: Record<string, any>): void;
    /**
     * @param {string} output
     * @param {any} [event] its value, if it has no current one
     */
    announce(output: string, event?: any): void;
    #private;
}
