/**
 * @typedef {import("./types.js").Presenter} Presenter
 * @typedef {import("./types.js").Source} Source
 */
/** What the server may ask of this client: to present tasks, and to give pages. */
export class Service {
    /** @param {import("./views.js").Views} views */
    constructor(views: import("./views.js").Views);
    /** @type {Presenter | undefined} */
    presenter: Presenter | undefined;
    /** @type {Map<string, Source>} */
    sources: Map<string, Source>;
    /** What the server is told in `initialize`. */
    get capabilities(): {
        present: boolean;
        sources: string[];
    };
    /**
     * Answers a request.
     *
     * @param {string} method
     * @param {any} params
     * @param {AbortSignal} signal
     */
    serve(method: string, params: any, signal: AbortSignal): Promise<unknown>;
    #private;
}
export type Presenter = import("./types.js").Presenter;
export type Source = import("./types.js").Source;
