/**
 * Connects to a server.
 *
 * @template {Record<string, any>} [Screens=Record<string, View>]
 * @param {import("./types.js").Transport} transport `websocket(…)`, or `stdio(…)` from `nagare/stdio`
 * @param {import("./types.js").ConnectOptions} [options]
 * @returns {Promise<App<Screens>>}
 */
export function connect<Screens extends Record<string, any> = Record<string, View>>(transport: import("./types.js").Transport, options?: import("./types.js").ConnectOptions | undefined): Promise<App<Screens>>;
/**
 * A session with a server: opens screens, presents tasks, gives pages. `connect` makes one. It is an `EventTarget` with
 * the events `state` ({@link StateEvent}), `lost` ({@link LostEvent}) and `warning` ({@link WarningEvent}).
 *
 * @template {Record<string, any>} [Screens=Record<string, View>] the type of each screen's views, by the screen's name
 */
export class App<Screens extends Record<string, any> = Record<string, View>> extends EventTarget {
    /**
     * A session that isn't connected yet: `connect` does both.
     *
     * @param {import("./types.js").Transport} transport
     * @param {import("./types.js").ConnectOptions} [options]
     */
    constructor(transport: import("./types.js").Transport, options?: import("./types.js").ConnectOptions | undefined);
    /** Whether there is a connection. The event `state` tells when that has changed. */
    get state(): import("./types.js").ConnectionState;
    /** What the server said of itself; null before its first answer. */
    get server(): import("./types.js").Server | null;
    /**
     * The open views, by their names on the wire.
     *
     * @returns {ReadonlyMap<string, View>}
     */
    get views(): ReadonlyMap<string, View>;
    /**
     * Presents tasks from now on. To be said before the first request, which tells the server that there is somebody.
     *
     * @param {import("./types.js").Presenter} presenter a function, or one for each kind of task
     * @example app.present({ prompt: (task) => window.prompt(task.title, task.text) });
     */
    present(presenter: import("./types.js").Presenter): void;
    /**
     * Gives a source's pages. To be said before the first request, which tells the server who answers.
     *
     * @param {string} name its name in the server's configuration
     * @param {Source | Source["page"]} source a function that gives pages, or an object with functions for edits besides
     */
    source(name: string, source: Source | Source["page"]): void;
    /**
     * Opens a screen. Nothing is loaded yet: for a list, `viewWillAppear` does that.
     *
     * @template {keyof Screens & string} Name
     * @param {Name} screen
     * @param {object} [params] what this view has its own way, such as `pageSize`
     * @param {import("./types.js").OpenOptions} options
     * @returns {Promise<Screens[Name]>}
     */
    open<Name extends keyof Screens & string>(screen: Name, params?: object | undefined, { view, signal }?: import("./types.js").OpenOptions): Promise<Screens[Name]>;
    /**
     * Gives an action to the stores.
     *
     * @param {string} type
     * @param {unknown} [value]
     * @param {Options} [options]
     */
    dispatch(type: string, value?: unknown, options?: import("./types.js").Options | undefined): Promise<void>;
    /**
     * What can be opened.
     *
     * @param {Options} options
     * @returns {Promise<import("./types.js").Screen[]>}
     */
    screens({ signal }?: Options): Promise<import("./types.js").Screen[]>;
    /**
     * Moves the clock of a server that was started with `--clock virtual`.
     *
     * @param {number} milliseconds
     * @param {Options} options
     * @returns {Promise<number>} the time since the server's start, in milliseconds
     */
    advance(milliseconds: number, { signal }?: Options): Promise<number>;
    /**
     * Any request, for what has no function here: `ping`, `rpc.discover`.
     *
     * @param {string} method
     * @param {object} [params]
     * @param {Options} [options]
     * @returns {Promise<any>} the result
     */
    request(method: string, params?: object | undefined, options?: import("./types.js").Options | undefined): Promise<any>;
    /**
     * Ends the session in good order: what was sent is answered, and the server ends. Resolves when it has.
     *
     * @returns {Promise<void>}
     */
    close(): Promise<void>;
    /**
     * Connects again after the connection was lost, and opens again the views that were open: the same objects, so
     * whoever has subscribed hears of their values. Views that another one had opened, such as a list's detail, have
     * ended then.
     *
     * @param {Options} options
     * @returns {Promise<View[]>} the views that are open again. They have not appeared yet
     */
    reconnect({ signal }?: Options): Promise<View[]>;
    /** Closes the session: what `await using` calls. */
    [Symbol.asyncDispose](): Promise<void>;
    #private;
}
export type Options = import("./types.js").Options;
export type View = import("./types.js").View;
export type Source = import("./types.js").Source;
