/** The types of arguments and results, for TypeScript and editors. They aren't part of the running program. */

import type { ChoiceModel, FeedModel, Id, ListModel, Outcome, PagerModel, SearchModel, TaskMembers } from "./model.js";
import type { ListWindow } from "./lists.js";
import type { ViewBase } from "./view.js";

export * from "./model.js";
export type { PagerPage as Page } from "./model.js";

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Options of nearly every method. */
export interface Options {
  /** Ends the waiting: the promise is rejected with the signal's reason, and the request is cancelled. */
  signal?: AbortSignal | undefined;
}

/** A means of connecting to a server. `connect` opens it, and `reconnect` opens it again. */
export interface Transport {
  /** Resolves when messages can be sent; rejects if the server can't be reached. */
  open(events: TransportEvents, options: Options): Promise<Link>;
}

/** The callbacks of a transport. */
export interface TransportEvents {
  /** Called with each message: the text of one JSON value. */
  message(text: string): void;
  /** Called once when a link that was opened has ended, with the reason: null if it was closed by `Link.close`. */
  close(error: Error | null): void;
  /** Reports an error that doesn't end the link, such as one of a function of the app. */
  warn?(error: unknown): void;
}

/** An open connection. */
export interface Link {
  /** Sends the text of one JSON value. Never throws or blocks. */
  send(text: string): void;
  /**
   * Ends the connection in an orderly way. Resolves when it has ended. Without the farewell, only the server's input is closed; the
   * server then finishes its running requests and ends.
   */
  close(farewell?: Farewell): Promise<void>;
}

/** The messages that end a session. */
export interface Farewell {
  /** Requests the end of the session. Resolves when the server answers, which may never happen. */
  shutdown(): Promise<void>;
  /** Ends the server. Nothing is sent after it. */
  exit(): void;
}

/** `connecting` until messages can be sent, `open` until the connection ends, then `closed`. */
export type ConnectionState = "connecting" | "open" | "closed";

/** Options of `connect`. */
export interface ConnectOptions extends Options {
  /** The name and version of the client, for the server's log. */
  client?: { name: string; version: string };
  /** The presenter of tasks: see `App.present`. */
  present?: Presenter;
  /** The client's sources: see `App.source`. */
  sources?: Record<string, Source | Source["page"]>;
  /** False to receive whole lists instead of splices. Only tests need that. */
  deltas?: boolean;
}

/** The server's answer to `initialize`. */
export interface Server {
  protocolVersion: string;
  server?: { name: string; version: string };
  capabilities: { deltas?: boolean; virtualClock?: boolean; [name: string]: unknown };
  limits?: Limits;
}

/** The limits of the server. */
export interface Limits {
  /** The maximum size of a message, in bytes. */
  messageSize: number;
  /** The deepest nesting of arrays and objects, including the message itself. */
  depth: number;
  /** The maximum number of messages in a batch. */
  batch?: number;
  /** The size in bytes of a batch's answer from which on further requests are rejected. */
  batchAnswer?: number;
  /** The maximum number of open views. */
  views?: number;
}

/** A screen that can be opened. */
export interface Screen {
  screen: string;
  viewModel: string;
  inputs: string[];
  outputs: string[];
}

/** Options of `open` besides the screen's parameters. */
export interface OpenOptions extends Options {
  /** The view's name on the wire; by default the server chooses one. */
  view?: string;
}

/**
 * The types of a view: `values` are outputs with a current value, `events` outputs without one, `inputs` the parameters of inputs,
 * `void` if there are none.
 */
export interface Model {
  values: object;
  events: object;
  inputs: object;
}

/** A view model of unknown type. */
export interface AnyModel {
  values: { readonly [name: string]: any };
  events: { readonly [name: string]: any };
  inputs: { readonly [name: string]: any };
}

/**
 * An input as a method. It resolves with the outcome when all loads, edits and tasks that it started have ended. `open` resolves
 * after the immediate effects, with the opened view if there is one. `send` doesn't wait.
 */
export type Input<Params> = Told<Params, Promise<Outcome>> & {
  open: Told<Params, Promise<View | undefined>>;
  send: Told<Params, void>;
};

type Told<Params, Result> = [Params] extends [void]
  ? (params?: Record<string, never>, options?: Options) => Result
  : (params: Params, options?: Options) => Result;

/** A view: its outputs are properties, and its inputs are methods. */
export type View<M extends Model = AnyModel> = ViewBase<M> &
  Readonly<M["values"]> & { readonly [Name in keyof M["inputs"]]: Input<M["inputs"][Name]> };

export type ListView<Item = any> = View<ListModel<Item>>;
/** A list or a search that was opened with a window. */
export type WindowView<Item = any, M extends Model & { values: { items: any } } = ListModel<Item>> = View<{
  values: Omit<M["values"], "items"> & { items: ListWindow<Item> };
  events: M["events"];
  inputs: M["inputs"];
}>;
export type PagerView<Item = any> = View<PagerModel<Item>>;
export type SearchView<Item = any> = View<SearchModel<Item>>;
export type ChoiceView<Choice = any> = View<ChoiceModel<Choice>>;
export type FeedView<Item = any> = View<FeedModel<Item>>;

/** Options of `view.values`. */
export interface ValuesOptions extends Options {
  /** True to receive every value. Otherwise a value that wasn't read is replaced by a newer one. */
  every?: boolean;
}

/**
 * An observable value: for React's `useSyncExternalStore(store.subscribe, store.getSnapshot)`, and as a Svelte store. The functions
 * need no `this`.
 */
export interface Store<Value> {
  /** Calls back now and after every change. Returns the function that ends the subscription. */
  subscribe(callback: (value: Value) => void): () => void;
  /** Returns the value: the same object until it changes. */
  getSnapshot(): Value;
}

/** A list for components that draw only the visible rows, such as TanStack Virtual and react-window. The functions need no `this`. */
export interface VirtualRows<Item> extends Store<ListWindow<Item>> {
  /** The number of rows in the list, loaded or not. */
  readonly count: number;
  /** Returns the key of a row: its item's id, or a placeholder's key while it isn't loaded. */
  getItemKey(index: number): string | number | bigint;
  /** Returns the row at an index; null while it isn't loaded. Reading a row moves the window to it. */
  item(index: number): Item | null;
  /** Reports the visible rows, including the last one: TanStack Virtual's `range`, or what react-window renders. */
  onRange(range: { startIndex: number; endIndex?: number; stopIndex?: number } | null): void;
}

/** A task for the user (5.5): of a `TaskKind`, or of a kind of the app's own. */
export interface Task extends TaskMembers {
  kind: string;
  [member: string]: any;
}

/** The second argument of a presenter. */
export interface PresentContext {
  /** The view that the task belongs to. */
  view: View | undefined;
  /** Aborts when the task is no longer needed and must disappear. */
  signal: AbortSignal;
}

/**
 * Presents a task and returns its value: null if the user cancelled, undefined if the task has no value. A browser's `prompt`,
 * `confirm` and `alert` do that.
 */
export type Present = (task: Task, context: PresentContext) => unknown;

/** One function for all tasks, or one for each kind. */
export type Presenter = Present | Record<string, Present>;

/** The query, filters and sorting that a list's rows match. */
export interface Criteria {
  /** The query; null for all items. */
  query: string | null;
  /** The filters and the order; absent if there are none. */
  filters?: Record<string, any>;
}

/** A request for a page. */
export interface PageRequest extends Criteria {
  /** Null for the first page, otherwise the `next` or `previous` of another page. */
  key: any;
  /** For sources with `positions`: the number of items before the page. */
  at?: number;
  /** For sources that support `around`: the id of an item that the page must contain. */
  around?: Id;
  /** The requested number of items; the page may have more or fewer. */
  size: number;
}

/** The second argument of a source's function `page`. */
export interface PageContext {
  /** Aborts when the page is no longer needed. */
  signal: AbortSignal;
  /** Reports the progress of a long load: the amount that is done, the total, and the unit, such as `"bytes"`. Integers only. */
  progress(done: number, about?: { of?: number; unit?: string }): void;
}

/** A page of a source. */
export interface SourcePage {
  items: readonly object[];
  /** The key of the next page; null or absent at the end. */
  next?: any;
  /** The key of the previous page. */
  previous?: any;
  /** The number of all items. */
  total?: number;
  /** False if the total is an estimate. */
  exact?: boolean;
  /** For sources with `positions`: the number of items before the page. */
  position?: number;
  /** For live sources: the state in which these items were read. */
  state?: string;
  /** Whether more items may follow this last page later. Then reaching the bottom requests the page again. */
  open?: boolean;
}

/**
 * The result of an insertion or a change: the item as the source has stored it, or only the id that the source has assigned. Any
 * other value means that the source has stored the item as it was sent.
 */
export type Made = { item: object } | { id: Id };

/** A change of a live source (6.6). */
export type Change =
  | { insert: object; before?: Id; after?: Id; at?: "end"; position?: number }
  | { change: object }
  | { remove: Id; position?: number };

/** The states of a change. */
export interface ChangedState {
  /** The source's state before the changes. */
  since?: string;
  /** The source's state after the changes. */
  state?: string;
  /** The number of all items after the changes. */
  total?: number;
}

/** The second argument of a source's function `watch`. */
export interface WatchContext {
  /** Aborts when the watch ends. */
  signal: AbortSignal;
  /** Reports changes; `"all"` if they aren't known. */
  changed(changes: readonly Change[] | "all", state?: ChangedState): void;
}

/** An object that calls back with the current rows, immediately and after every change. */
export interface Signal<Row> {
  subscribe(callback: (rows: readonly Row[]) => void): unknown;
}

/** Options of `live`. */
export interface LiveOptions<Row> {
  /** The field that is a row's id; by default `id`. */
  id?: string;
  /** Whether a row matches the criteria. By default, a row matches if its texts contain each word of the query. */
  match?: (row: Row, criteria: Criteria) => boolean;
}

/** The items of a bulk edit: those with some ids, or all that match the criteria except some. */
export type Marked =
  | { ids: readonly Id[]; all?: never }
  | { all: true; except: readonly Id[]; query?: string; filters?: Record<string, any> };

/** The answer to a watch. */
export interface Watched {
  state?: string;
  changes?: readonly Change[];
}

/** A source that the client provides. The signals abort when an answer is no longer needed. */
export interface Source {
  page(request: PageRequest, context: PageContext): SourcePage | Promise<SourcePage>;
  /** Returns a full item, if rows are summaries; null if there is none. */
  item?(request: { id: Id }, context: { signal: AbortSignal }): object | null | Promise<object | null>;
  /**
   * Reports changes of the items that match the criteria, until its signal aborts. For sources that are `live` in the configuration. A
   * source with states returns its current state, after which it reports all changes, and the `changes` since the state `since`.
   */
  watch?(
    request: Criteria & { since: string | null },
    context: WatchContext,
  ): Watched | void | Promise<Watched | void>;
  /**
   * Makes an edit. If it throws, the edit is undone on the screen. `before` is null for the first position. An insertion or a change
   * may return a `Made`, or a promise of one.
   */
  insert?(edit: { item: any; before: Id | null }, context: { signal: AbortSignal }): unknown;
  change?(edit: { item: any }, context: { signal: AbortSignal }): unknown;
  remove?(edit: { id: Id }, context: { signal: AbortSignal }): unknown;
  /** Changes fields of many items at once. For sources with `"marked"` among their `writes`. */
  changeMarked?(edit: Marked & { set: Record<string, any> }, context: { signal: AbortSignal }): unknown;
  /** Removes many items at once. For sources with `"marked"` among their `writes`. */
  removeMarked?(edit: Marked, context: { signal: AbortSignal }): unknown;
}
