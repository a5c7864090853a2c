/**
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").AnyModel} AnyModel
 * @typedef {import("./types.js").View} View
 *
 * What a view needs of its session.
 *
 * @typedef {object} Host
 * @property {(view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<View | undefined>} input
 * @property {(view: ViewBase<any>, input: string, params?: any) => void} tell
 * @property {(view: ViewBase<any>) => Promise<void>} outputs asks for all that is current
 * @property {(view: ViewBase<any>, options?: Options) => Promise<void>} close
 * @property {(view: ViewBase<any>) => void} abandon doesn't open it again
 * @property {() => string[]} names the open views' names
 * @property {(view: ViewBase<any>) => string[] | undefined} known the outputs of its screen, once the server has told
 * @property {() => Error | null} closed why there is no connection
 *
 * What a session does to its views.
 *
 * @typedef {object} Control
 * @property {(view: ViewBase<any>, output: string, said: any) => void} hear an output was said
 * @property {(view: ViewBase<any>, outputs: Record<string, any>) => void} synchronize this is current, in a view that
 *   is open
 * @property {(view: ViewBase<any>, error: unknown) => void} lose the connection is gone; subscriptions stay, for it may
 *   come back
 * @property {(view: ViewBase<any>) => void} end the view is gone
 */
/**
 * The session's hand on its views, which nobody else has.
 *
 * @type {Control}
 */
export let control: Control;
/**
 * An opened screen. The outputs of its screen are properties besides, and the inputs are methods, as far as their names
 * aren't taken here; `current` and `call` know them all.
 *
 * @template {Model} [M=AnyModel]
 */
export class ViewBase<M extends import("./types.js").Model = import("./types.js").AnyModel> {
    /**
     * For the session alone: `app.open` makes views.
     *
     * @param {Host} host
     * @param {{view: string, screen: string, viewModel: string, outputs: Record<string, any>}} opened
     */
    constructor(host: Host, { view, screen, viewModel, outputs }: {
        view: string;
        screen: string;
        viewModel: string;
        outputs: Record<string, any>;
    });
    /** The view's name on the wire. */
    view: string;
    /** The name of its screen. */
    screen: string;
    /** The kind of the screen: `list`, `pager` and so on. */
    viewModel: string;
    /** Whether it is open on the server. A view whose connection was lost is open again after `app.reconnect()`. */
    get isOpen(): boolean;
    /**
     * All outputs that have a value, by name. The object and the arrays in it never change: the next change makes new
     * ones.
     *
     * @returns {Readonly<M["values"]>}
     */
    get current(): Readonly<M["values"]>;
    /**
     * The value of an output, as it is now.
     *
     * @template {keyof M["values"] & string} Name
     * @param {Name} output
     * @returns {M["values"][Name]}
     */
    value<Name extends keyof M["values"] & string>(output: Name): M["values"][Name];
    /**
     * Tells the view something. What it causes at once has been said when the promise resolves.
     *
     * @template {keyof M["inputs"] & string} Name
     * @param {Name} input
     * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
     * @param {Options} [options]
     * @returns {Promise<View | undefined>} the view that this opened, such as a list's detail by `select`
     */
    call<Name_1 extends keyof M["inputs"] & string>(input: Name_1, params?: (M["inputs"][Name_1] extends void ? {} : M["inputs"][Name_1]) | undefined, options?: import("./types.js").Options | undefined): Promise<View | undefined>;
    /**
     * Tells the view something, and doesn't want to know what became of it. For what comes often, such as `viewport`.
     *
     * @template {keyof M["inputs"] & string} Name
     * @param {Name} input
     * @param {M["inputs"][Name] extends void ? {} : M["inputs"][Name]} [params]
     */
    tell<Name_2 extends keyof M["inputs"] & string>(input: Name_2, params?: (M["inputs"][Name_2] extends void ? {} : M["inputs"][Name_2]) | undefined): void;
    /**
     * Calls back with every value that an output says from now on; `closed` says that the view has ended.
     *
     * @template {(keyof M["values"] | keyof M["events"]) & string} Name
     * @param {Name} output
     * @param {(value: (M["values"] & M["events"])[Name]) => void} callback
     * @param {Options} options
     * @returns {() => void} ends that; so does the signal
     */
    subscribe<Name_3 extends (keyof M["values"] | keyof M["events"]) & string>(output: Name_3, callback: (value: (M["values"] & M["events"])[Name_3]) => void, { signal }?: Options): () => void;
    /**
     * An output's values, for `for await`: the current one, if it has one, and each that is said from now on. Ends with
     * the view; a lost connection throws.
     *
     * @template {(keyof M["values"] | keyof M["events"]) & string} Name
     * @param {Name} output
     * @param {import("./types.js").ValuesOptions} options
     * @returns {AsyncIterableIterator<(M["values"] & M["events"])[Name]>}
     */
    values<Name_4 extends (keyof M["values"] | keyof M["events"]) & string>(output: Name_4, { signal, every }?: import("./types.js").ValuesOptions): AsyncIterableIterator<(M["values"] & M["events"])[Name_4]>;
    /**
     * Waits for a value: the current one if that will do, else the first that does.
     *
     * @template {(keyof M["values"] | keyof M["events"]) & string} Name
     * @param {Name} output
     * @param {(value: (M["values"] & M["events"])[Name]) => unknown} [fits] says whether a value will do; any does where
     *   nothing is said
     * @param {Options} options
     * @returns {Promise<(M["values"] & M["events"])[Name]>} rejected when the view ends first
     */
    until<Name_5 extends (keyof M["values"] | keyof M["events"]) & string>(output: Name_5, fits?: ((value: (M["values"] & M["events"])[Name_5]) => unknown) | undefined, { signal }?: Options): Promise<(M["values"] & M["events"])[Name_5]>;
    /**
     * An output as something to watch, or all of them together: the same store each time.
     *
     * @template {keyof M["values"] & string} Name
     * @overload
     * @param {Name} output
     * @returns {import("./types.js").Store<M["values"][Name]>}
     */
    /**
     * @overload
     * @returns {import("./types.js").Store<Readonly<M["values"]>>}
     */
    /**
     * @param {string} [output]
     * @returns {any}
     */
    store(output?: string | undefined): any;
    /**
     * Ends the view, and the views that it opened. One whose connection was lost won't be opened again.
     *
     * @param {Options} [options]
     * @returns {Promise<void>} rejected if it isn't open
     */
    close(options?: import("./types.js").Options | undefined): Promise<void>;
    /** Ends the view, if it hasn't ended: what `await using` calls. */
    [Symbol.asyncDispose](): Promise<void>;
    #private;
}
export type Options = import("./types.js").Options;
export type Model = import("./types.js").Model;
export type AnyModel = import("./types.js").AnyModel;
/**
 * What a view needs of its session.
 */
export type View = import("./types.js").View;
export type Host = {
    input: (view: ViewBase<any>, input: string, params?: any, options?: Options) => Promise<View | undefined>;
    tell: (view: ViewBase<any>, input: string, params?: any) => void;
    /**
     * asks for all that is current
     */
    outputs: (view: ViewBase<any>) => Promise<void>;
    close: (view: ViewBase<any>, options?: Options) => Promise<void>;
    /**
     * doesn't open it again
     */
    abandon: (view: ViewBase<any>) => void;
    /**
     * the open views' names
     */
    names: () => string[];
    /**
     * the outputs of its screen, once the server has told
     */
    known: (view: ViewBase<any>) => string[] | undefined;
    /**
     * why there is no connection
     *
     * What a session does to its views.
     */
    closed: () => Error | null;
};
export type Control = {
    /**
     * an output was said
     */
    hear: (view: ViewBase<any>, output: string, said: any) => void;
    /**
     * this is current, in a view that
     * is open
     */
    synchronize: (view: ViewBase<any>, outputs: Record<string, any>) => void;
    /**
     * the connection is gone; subscriptions stay, for it may
     * come back
     */
    lose: (view: ViewBase<any>, error: unknown) => void;
    /**
     * the view is gone
     */
    end: (view: ViewBase<any>) => void;
};
