/**
 * The shapes of what goes in and comes out, for TypeScript and for editors. They are no part of the running program.
 */

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

/** What nearly every function takes. */
export interface Options {
  /** Ends the waiting: the promise is rejected with the signal's reason, and the server is told. */
  signal?: AbortSignal | undefined;
}

/** A way to a server. `connect` opens it, and `reconnect` opens it again. */
export interface Transport {
  /** Resolves when messages can be sent; rejects when there is no server to be had. */
  open(events: TransportEvents, options: Options): Promise<Link>;
}

/** What a transport tells. */
export interface TransportEvents {
  /** A message came: the text of one JSON value. */
  message(text: string): void;
  /**
   * The connection has ended. Told once, by a link that was opened, with why: null if it was closed by `Link.close`.
   */
  close(error: Error | null): void;
}

/** An open connection. */
export interface Link {
  /** Sends the text of one JSON value. Never throws, and never blocks. */
  send(text: string): void;
  /**
   * Ends the connection in good order. Resolves when it has ended. A link that leaves the farewell out, or is given none,
   * ends the server's input alone, and the server then finishes what it has begun.
   */
  close(farewell?: Farewell): Promise<void>;
}

/** What there is to say before a connection ends. */
export interface Farewell {
  /** Asks for the end of the work. Resolves when that is answered, which may be never. */
  shutdown(): Promise<void>;
  /** Has the server end. Nothing is said after it. */
  exit(): void;
}

/** `connecting` until messages can be sent, `open` until the connection ends, then `closed`. */
export type ConnectionState = "connecting" | "open" | "closed";

/** What `connect` may be told. */
export interface ConnectOptions extends Options {
  /** Who this is, for the server's log. */
  client?: { name: string; version: string };
  /** Presents tasks: see `App.present`. */
  present?: Presenter;
  /** Gives pages: see `App.source`. */
  sources?: Record<string, Source | Source["page"]>;
  /** False to get lists whole at every change, not as splices. Nobody needs that but tests. */
  deltas?: boolean;
}

/** What the server said of itself. */
export interface Server {
  protocolVersion: string;
  server?: { name: string; version: string };
  capabilities: { deltas?: boolean; virtualClock?: boolean; [name: string]: unknown };
  limits?: Limits;
}

/** What a server reads and opens at most. */
export interface Limits {
  /** The most bytes of a message. */
  messageSize: number;
  /** The deepest nesting of arrays and objects, the message itself counted as one. */
  depth: number;
  /** The most messages of a batch. */
  batch?: number;
  /** The bytes of the answer to a batch from which on it grows by refusals alone. */
  batchAnswer?: number;
  /** The most open views. */
  views?: number;
}

/** A screen that can be opened. */
export interface Screen {
  screen: string;
  viewModel: string;
  inputs: string[];
  outputs: string[];
}

/** What `open` may be told besides the screen's parameters. */
export interface OpenOptions extends Options {
  /** The view's name on the wire; by default the server finds one. */
  view?: string;
}

/**
 * What a view has: `values`, outputs that are always something; `events`, outputs that happen; `inputs` with their
 * parameters, `void` where there are none.
 */
export interface Model {
  values: object;
  events: object;
  inputs: object;
}

/** A view model that nobody has described: everything goes. */
export interface AnyModel {
  values: { readonly [name: string]: any };
  events: { readonly [name: string]: any };
  inputs: { readonly [name: string]: any };
}

/**
 * An input as a method. It resolves when all that it began is over, with what has become of that. `open` resolves as soon
 * as the server has done what it could at once, with the view that this opened, if any; `send` waits for nothing.
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

/** What `view.values` may be told. */
export interface ValuesOptions extends Options {
  /**
   * True to get every value, however slowly they are taken; else a value that wasn't taken gives way to a newer one.
   */
  every?: boolean;
}

/**
 * A value that others may watch: React's `useSyncExternalStore(store.subscribe, store.getSnapshot)`, and a Svelte
 * store. The functions need no `this`.
 */
export interface Store<Value> {
  /** Calls back now and after every change. The result ends that. */
  subscribe(callback: (value: Value) => void): () => void;
  /** The value: the very same one until it changes. */
  getSnapshot(): Value;
}

/**
 * A list as components want it that draw only what is in sight: of TanStack Virtual, react-window and their like. The
 * functions need no `this`.
 */
export interface VirtualRows<Item> extends Store<ListWindow<Item>> {
  /** How many rows the list has, read or not. */
  readonly count: number;
  /** What tells a row from others: its item's id, or something of its own while it isn't read. */
  getItemKey(index: number): string | number | bigint;
  /** The row at an index; null while it isn't there. To read it is to look at it: what is held follows. */
  item(index: number): Item | null;
  /** Says which rows are in sight, the last one included: TanStack Virtual's `range`, or what react-window renders. */
  onRange(range: { startIndex: number; endIndex?: number; stopIndex?: number } | null): void;
}

/** A task that the user is asked to do (5.5), of one of `TaskKind` or a kind of the app's own. */
export interface Task extends TaskMembers {
  kind: string;
  [member: string]: any;
}

/** What a function that presents a task is told besides. */
export interface PresentContext {
  /** The view whose task this is. */
  view: View | undefined;
  /** Aborts when the task is no longer wanted: take it off the screen. */
  signal: AbortSignal;
}

/**
 * Presents a task, and gives its value: null says that the user cancelled, nothing that it is done and has no value.
 * That is what a browser's `prompt`, `confirm` and `alert` give.
 */
export type Present = (task: Task, context: PresentContext) => unknown;

/** One function for all tasks, or one for each kind. */
export type Presenter = Present | Record<string, Present>;

/** What a list looks for. */
export interface Criteria {
  /** What is looked for; null for everything. */
  query: string | null;
  /** What is filtered and sorted by; nothing where that is nothing. */
  filters?: Record<string, any>;
}

/** What a source is asked. */
export interface PageRequest extends Criteria {
  /** Null for the first page, else what a page gave as `next` or `previous`. */
  key: any;
  /** Of a source that has `positions`: how many items come before the page that is asked for. */
  at?: number;
  /** Of a source that can be asked `around`: the id of an item that the page must hold. */
  around?: Id;
  /** How many items are wanted; more or fewer may come. */
  size: number;
}

/** What a function for pages is given. */
export interface PageContext {
  /** Aborts when the page is no longer needed. */
  signal: AbortSignal;
  /** Tells how much is done of what takes long, of how much, and what is counted, such as `"bytes"`: whole numbers. */
  progress(done: number, about?: { of?: number; unit?: string }): void;
}

/** What a source gives. */
export interface SourcePage {
  items: readonly object[];
  /** The key of the page after; null or nothing at the end. */
  next?: any;
  /** The key of the page before. */
  previous?: any;
  /** How many items there are in all. */
  total?: number;
  /** False where that is an estimate. */
  exact?: boolean;
  /** How many items come before the page, of a source that has `positions`. */
  position?: number;
  /** Of a live source, the state that these items were read at. */
  state?: string;
}

/** One thing that has happened to a live source (6.6). */
export type Change =
  | { insert: object; before?: Id; after?: Id; at?: "end"; position?: number }
  | { change: object }
  | { remove: Id; position?: number };

/** What a source that keeps states tells with its changes. */
export interface ChangedState {
  /** The state that they lead from. */
  since?: string;
  /** The state that they lead to. */
  state?: string;
  /** How many items there are in all by now. */
  total?: number;
}

/** What a function for changes is given. */
export interface WatchContext {
  /** Aborts when nobody looks for it any more. */
  signal: AbortSignal;
  /** Tells what has happened; `"all"` says that nobody knows what. */
  changed(changes: readonly Change[] | "all", state?: ChangedState): void;
}

/** Anything that calls back with the rows there are, now and whenever there are others. */
export interface Signal<Row> {
  subscribe(callback: (rows: readonly Row[]) => void): unknown;
}

/** What `live` may be told. */
export interface LiveOptions<Row> {
  /** The member that is a row's id; by default `id`. */
  id?: string;
  /** Whether a row is among what is looked for; without it the rows in whose texts each word stands. */
  match?: (row: Row, criteria: Criteria) => boolean;
}

/** The items that an edit of many is for: some, or all that are looked for but for some. */
export type Marked =
  | { ids: readonly Id[]; all?: never }
  | { all: true; except: readonly Id[]; query?: string; filters?: Record<string, any> };

/** What answers a watch. */
export interface Watched {
  state?: string;
  changes?: readonly Change[];
}

/**
 * Where a list's items come from, when it is the client that has them. The signal aborts when an answer is no longer
 * needed.
 */
export interface Source {
  page(request: PageRequest, context: PageContext): SourcePage | Promise<SourcePage>;
  /** Gives one whole item, where rows are summaries; null where there is none. */
  item?(request: { id: Id }, context: { signal: AbortSignal }): object | null | Promise<object | null>;
  /**
   * Tells how what is looked for changes, until its signal aborts: of sources that are `live` in the configuration. A source
   * that keeps states gives the one from which on it tells; `changes`, too, where something has happened since `since`.
   */
  watch?(
    request: Criteria & { since: string | null },
    context: WatchContext,
  ): Watched | void | Promise<Watched | void>;
  /** Makes an edit; what is thrown undoes it on the screen. `before` is null for the first place. */
  insert?(edit: { item: any; before: Id | null }, context: { signal: AbortSignal }): unknown;
  change?(edit: { item: any }, context: { signal: AbortSignal }): unknown;
  remove?(edit: { id: Id }, context: { signal: AbortSignal }): unknown;
  /** Gives many items these members at once: of sources with `"marked"` among their `writes`. */
  changeMarked?(edit: Marked & { set: Record<string, any> }, context: { signal: AbortSignal }): unknown;
  /** Removes many items at once: of sources with `"marked"` among their `writes`. */
  removeMarked?(edit: Marked, context: { signal: AbortSignal }): unknown;
}
