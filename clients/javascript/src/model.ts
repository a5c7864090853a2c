/** The types of the built-in view models. */

// Generated from protocol/openrpc.json; make generate

import type { ExactNumber } from "./json.js";
import type { View } from "./types.js";

/** An item's id: the value of one of its fields. Integers beyond 2⁵³ are bigints. */
export type Id = string | number | bigint | ExactNumber;

/** The outcome of all work that an input started. */
export type Outcome = "nothing" | "finished" | "dropped" | "failed";

/** A failure that a screen shows. */
export interface Failure {
  /** A number of the server's, or of the source. */
  code: number;
  /** One sentence for the user. */
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** What started the work that failed: usually the name of an input. */
  trigger: string;
  /** The number of the failure among the view's failures, from 1. */
  number: number;
}

/** The state of a list's newest load. */
export interface LoadState {
  /** The input that started the newest load. */
  trigger: "appear" | "reachBottom" | "loadMore" | "reachTop" | "refresh" | "search" | "filter" | "retry" | "invalidated" | "viewport" | "jump";
  /** The phase of the load. */
  phase: "nothing" | "requesting" | "requestFinished" | "reachedBottom" | "failed";
  /** The number of listed items. */
  count: number;
  /** The total number of items of a live source; null if it isn't known. */
  total?: number | null;
  /** The progress of the load; absent if the source doesn't report any. */
  progress?: LoadProgress;
}

/** The progress of the load; absent if the source doesn't report any. */
export interface LoadProgress {
  /** How much of the work is done. */
  done: number;
  /** The amount of all the work; absent if it isn't known. */
  of?: number;
  /** The unit of both numbers, such as bytes; absent if the source doesn't name it. */
  unit?: string;
}

/** Consecutive items of a list that share a value. */
export interface ListSection {
  /** The value that the items share: a text, a number, true, false or null. */
  key: string | number | boolean | null;
  /** The position of the section's first item in the list, from 0. */
  start: number;
  /** The number of items; null if not all of them are loaded. */
  count: number | null;
}

/** The marks of a list. */
export interface Marks {
  /** The number of marked items; null if it isn't known. */
  count: number | null;
  /** Whether all items are marked except those in ids. */
  all: boolean;
  /** The marked items. If all is true, the items that aren't marked. */
  ids: readonly Id[];
}

/** A listed item with an unfinished edit. */
export interface PendingItem {
  /** The id of the item. */
  id: Id;
  /** The state of the edit. */
  state: "sending" | "failed";
}

/** An edit that can be undone. The list shows it, and the source hasn't received it yet. */
export interface UndoableEdit {
  /** The number of edited items; null if it isn't known. */
  count: number | null;
  /** The kind of the edit: "remove" or "change". */
  input: string;
  /** The ids of the edited items; absent if all are edited. */
  ids?: readonly Id[];
  /** True if all items are edited except some. */
  all?: boolean;
  /** With "all": the ids of the items that aren't edited. */
  except?: readonly Id[];
  /** How long the edit can be undone after it was made, in milliseconds. */
  milliseconds: number;
}

/** The deferred arrivals: new items before the first one. */
export interface Arrivals {
  /** The number of deferred arrivals. */
  count: number;
}

/** A row to scroll to. */
export interface ScrollTarget {
  /** The position of the row, from 0. */
  index: number;
  /** The id of the item there; null if the row isn't loaded. */
  id: Id | null;
}

/** The item that a pager shows, and its position. */
export interface PagerPage<Item> {
  /** The id of the item; null if its row isn't loaded. */
  id: Id | null;
  /** The position of the item in the list, from 0; null if it isn't listed. */
  index: number | null;
  /** The number of listed items. */
  count: number;
  /** The item; null if it is neither listed nor loaded. */
  item: Item | null;
  /** Whether there is a previous item to swipe to. */
  hasPrevious: boolean;
  /** Whether there is a next item to swipe to. */
  hasNext: boolean;
  /** Whether the source has more items than the list, or rows follow that aren't loaded. */
  hasMore: boolean;
  /** Whether the item is full, if the screen requests full items. Otherwise it is the row. */
  whole?: boolean;
}

/** A list that loads page by page. */
export interface ListModel<Item> {
  values: {
    /** The listed items. */
    items: readonly Item[];
    /** Whether the list is loading. */
    loading: boolean;
    /** The current failure; null if there is none. */
    error: Failure | null;
    /** The state of the newest load. */
    state: LoadState;
    /** The filters and the sorting. */
    filters?: Record<string, any>;
    /** The sections: groups of consecutive items that share a value. */
    sections?: readonly ListSection[];
    /** The marked items. */
    marks?: Marks;
    /** The items with unfinished edits. */
    pending?: readonly PendingItem[];
    /** The newest edit that can be undone; null if there is none. */
    undoable?: UndoableEdit | null;
    /** The deferred arrivals: new items before the first one. */
    arrivals?: Arrivals;
  };
  events: {
    /** A view that was opened. */
    navigate: View;
    /** The deferred arrivals are listed now: scroll to the start. */
    scrollToTop: {};
    /** A row to scroll to. */
    scrollTo: ScrollTarget;
    /** The view was closed, by the client or the server. */
    closed: null;
  };
  inputs: {
    /** Loads the first page when the view appears for the first time. */
    viewWillAppear: void;
    /** Loads the next page when the user reaches the end of the list. */
    reachBottom: void;
    /** Loads the next page for any other reason. */
    loadMore: void;
    /** Loads the first page again. */
    refresh: void;
    /** Repeats the load that failed. */
    retry: void;
    /** Replaces a listed item, or sets fields of all marked items. */
    change: { item?: Item; marked?: boolean; set?: Record<string, any> };
    /** Opens the detail screen for an item. */
    select: { id: Id };
    /** Loads the previous page when the user reaches the start of the list. */
    reachTop: void;
    /** Reports the rows in sight: from `start` up to, but not including, `end`. */
    viewport: { start: number; end: number; revision?: number };
    /** Inserts an item before another one, or at the start. */
    insert: { item: Item; before?: Id };
    /** Removes an item, or all marked items. */
    remove: { id?: Id; marked?: boolean };
    /** Changes the filters and the sorting. */
    filter: { set: Record<string, any> };
    /** Lists the deferred arrivals. */
    showArrivals: void;
    /** Moves the window to a row or an item. */
    jump: { index?: number; id?: Id };
    /** Marks an item, a range of items, or all items. */
    mark: { id?: Id; from?: Id; to?: Id; all?: boolean };
    /** Removes marks. */
    unmark: { id?: Id; from?: Id; to?: Id; all?: boolean };
    /** Undoes the newest edit that can be undone. */
    undo: void;
  };
}

/** One item of a list at a time. */
export interface PagerModel<Item> {
  values: {
    /** The current item, and its position in the list. */
    page: PagerPage<Item>;
    /** Whether the list is loading. */
    loading: boolean;
    /** The current failure of the list; null if there is none. */
    error: Failure | null;
  };
  events: {
    /** The view was closed, by the client or the server. */
    closed: null;
  };
  inputs: {
    /** Moves to the next or previous item, or to the item with an id. */
    swipe: { to?: "next" | "previous"; id?: Id };
  };
}

/** A list that the user searches by typing. */
export interface SearchModel<Item> {
  values: ListModel<Item>["values"] & {
    /** The search text. */
    query: string;
    /** Whether the first page was loaded and no item is listed. */
    noResult: boolean;
  };
  events: ListModel<Item>["events"] & {
  };
  inputs: ListModel<Item>["inputs"] & {
    /** Searches for a text when the user stops typing. */
    search: { text: string };
    /** Clears the search text and searches at once. */
    cancelSearch: void;
  };
}

/** A choice between given values. */
export interface ChoiceModel<Choice = string> {
  values: {
    /** The choices: texts, or objects with an `id`. */
    choices: readonly Choice[];
  };
  events: {
    /** The user has chosen: the client may close the view. */
    dismiss: {};
    /** The view was closed, by the client or the server. */
    closed: null;
  };
  inputs: {
    /** Dispatches the choice to the stores. The view sends `dismiss`, and stays open until the client closes it. */
    choose: { id: Id };
  };
}

/** One page, which is loaded on request. */
export interface FeedModel<Item> {
  values: {
    /** The items of the newest response. */
    offers: readonly Item[];
    /** Whether the list is loading. */
    loading: boolean;
    /** The current failure; null if there is none. */
    error: Failure | null;
  };
  events: {
    /** The view was closed, by the client or the server. */
    closed: null;
  };
  inputs: {
    /** Loads the page. */
    refresh: void;
  };
}

/** The kinds of task that every client should know. */
export type TaskKind = "alert" | "confirm" | "prompt" | "choose" | "pickImage" | "login";

/** The fields of these kinds of task. A task has only the fields of its kind. */
export interface TaskMembers<Choice = any> {
  /** The address to sign in at. */
  title?: string;
  /** A longer text below the title. */
  message?: string;
  /** The initial text. */
  text?: string;
  /** The choices. */
  choices?: readonly Choice[];
}
