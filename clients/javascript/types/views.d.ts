/**
 * @typedef {import("./types.js").View} View
 * @typedef {{view: string, screen: string, outputs: Record<string, any>}} Opened
 */
/** A session's views: those that are open, and those that wait for another connection. */
export class Views {
    /** @param {import("./view.js").Host} host */
    constructor(host: import("./view.js").Host);
    /**
     * The open ones, by their names on the wire.
     *
     * @type {Map<string, View>}
     */
    open: Map<string, View>;
    /** @param {import("./types.js").Screen[]} screens */
    know(screens: import("./types.js").Screen[]): void;
    /**
     * The names of what a screen's views say, events included; undefined before the server has told.
     *
     * @param {string} screen
     */
    outputs(screen: string): string[] | undefined;
    /**
     * @param {Opened} opened
     * @param {object} [params] what opens it again
     */
    adopt(opened: Opened, params?: object | undefined): View;
    /**
     * Takes an output.
     *
     * @param {string} output
     * @param {any} params
     * @returns {View | undefined} the view that it opened
     */
    hear(output: string, params: any): View | undefined;
    /** @param {string} name */
    end(name: string): void;
    /** The session has ended. */
    endAll(): void;
    /**
     * The connection is gone.
     *
     * @param {Error} error
     */
    lose(error: Error): void;
    /**
     * Doesn't open a view again whose connection was lost.
     *
     * @param {import("./view.js").ViewBase<any>} view
     */
    abandon(view: import("./view.js").ViewBase<any>): void;
    /**
     * Opens what was open when the connection was lost.
     *
     * @param {(view: View, params: object, opened: (result: {outputs: any}) => void) => Promise<unknown>} open
     * @param {() => boolean} connected
     * @returns {Promise<View[]>} the views that are open again
     */
    reopen(open: (view: View, params: object, opened: (result: {
        outputs: any;
    }) => void) => Promise<unknown>, connected: () => boolean): Promise<View[]>;
    #private;
}
export type View = import("./types.js").View;
export type Opened = {
    view: string;
    screen: string;
    outputs: Record<string, any>;
};
