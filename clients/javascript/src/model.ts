/** The built-in view models, and what they are made of. */

// Generated from protocol/openrpc.json; make generate

import type { ExactNumber } from "./json.js";
import type { View } from "./types.js";

/** An item's id: the value of one of its members. Integers beyond 2⁵³ are bigints. */
export type Id = string | number | bigint | ExactNumber;

/** What has become of all that an input began. */
export type Outcome = "nothing" | "finished" | "dropped" | "failed";

/** A failure that a screen shows. */
export interface Failure {
  /** The other side's own number, or the server's. */
  code: number;
  /** One sentence for a person. */
  message: string;
  /** Whether the same may well succeed later. */
  retryable: boolean;
  /** What had set going what failed: mostly the name of an input. */
  trigger: string;
  /** Which of the view's failures it is, counted from 1. */
  number: number;
}

/** How far the newest load of a list has come. */
export interface LoadState {
  /** What made the newest load begin. */
  trigger: "appear" | "reachBottom" | "loadMore" | "reachTop" | "refresh" | "search" | "filter" | "retry" | "invalidated" | "viewport" | "jump";
  /** How far it has come. */
  phase: "nothing" | "requesting" | "requestFinished" | "reachedBottom" | "failed";
  /** How many items are listed. */
  count: number;
  /** How many items a live source has in all; null where nobody knows. */
  total?: number | null;
  /** How far the load has come; absent where its source doesn't say. */
  progress?: LoadProgress;
}

/** How far the load has come; absent where its source doesn't say. */
export interface LoadProgress {
  /** How much is done. */
  done: number;
  /** Of how much; absent where nobody knows. */
  of?: number;
  /** What is counted, such as bytes; absent if the source doesn't say. */
  unit?: string;
}

/** Neighbours in a list that have something in common. */
export interface ListSection {
  /** What they have in common: a text, a number, true, false or null. */
  key: string | number | boolean | null;
  /** The position in the list of the first, from 0. */
  start: number;
  /** How many they are; null where not all of them are read. */
  count: number | null;
}

/** What is marked in a list. */
export interface Marks {
  /** How many items are marked; null where nobody knows how many there are. */
  count: number | null;
  /** Whether all are marked, but for those that are named. */
  all: boolean;
  /** The items that are marked; those that aren't, if all others are. */
  ids: readonly Id[];
}

/** A listed item with an edit that isn't finished. */
export interface PendingItem {
  /** The item's id. */
  id: Id;
  /** How far the edit has come. */
  state: "sending" | "failed";
}

/** An edit that can be undone: it is listed, and the source isn't asked for it yet. */
export interface UndoableEdit {
  /** How many items the edit is of; null if nobody knows. */
  count: number | null;
  /** The input that made the edit: "remove" or "change". */
  input: string;
  /** The items; absent if all are edited. */
  ids?: readonly Id[];
  /** True if all items are edited but some. */
  all?: boolean;
  /** With "all": the items that aren't edited. */
  except?: readonly Id[];
  /** For how long the edit can be undone, from when it was made. */
  milliseconds: number;
}

/** The new items before the first one that the list defers. */
export interface Arrivals {
  /** How many items are held back. */
  count: number;
}

/** Where to scroll to. */
export interface ScrollTarget {
  /** The row's position, from 0. */
  index: number;
  /** Its item's id; null where it isn't read. */
  id: Id | null;
}

/** The item that a pager shows, and what lies around it. */
export interface PagerPage<Item> {
  /** The item's id; null where its row isn't read. */
  id: Id | null;
  /** The item's place in the list, from 0; null where it isn't listed. */
  index: number | null;
  /** How many items are listed. */
  count: number;
  /** The item; null where it is neither listed nor there yet. */
  item: Item | null;
  /** Whether a swipe to the previous goes to an item. */
  hasPrevious: boolean;
  /** Whether a swipe to the next goes to an item. */
  hasNext: boolean;
  /** Whether the source has more items than are listed, or rows that aren't read follow. */
  hasMore: boolean;
  /** Whether the item is whole, where the screen asks for whole items: else it is the row. */
  whole?: boolean;
}

/** Items that grow page by page. */
export interface ListModel<Item> {
  values: {
    /** What is listed. */
    items: readonly Item[];
    /** Whether a load is running. */
    loading: boolean;
    /** The failure that stands. */
    error: Failure | null;
    /** How far the newest load has come. */
    state: LoadState;
    /** What is filtered and sorted by. */
    filters?: Record<string, any>;
    /** Neighbours that have something in common, and where they are. */
    sections?: readonly ListSection[];
    /** What is marked. */
    marks?: Marks;
    /** The items whose edits aren't finished. */
    pending?: readonly PendingItem[];
    /** The newest edit that can be undone; null if there is none. */
    undoable?: UndoableEdit | null;
    /** The new items before the first one that the list defers. */
    arrivals?: Arrivals;
  };
  events: {
    /** A view that was opened. */
    navigate: View;
    /** What was held back is listed. */
    scrollToTop: {};
    /** Where the rows in sight are to be. */
    scrollTo: ScrollTarget;
    /** The view was closed, by whomever. */
    closed: null;
  };
  inputs: {
    /** Loads the first page, the first time. */
    viewWillAppear: void;
    /** Loads the next page, because the user came to the end. */
    reachBottom: void;
    /** Loads the next page, for whatever reason. */
    loadMore: void;
    /** Loads the first page again. */
    refresh: void;
    /** Loads again what failed. */
    retry: void;
    /** Replaces a listed item by one with the same id, or gives all that is marked some members. */
    change: { item?: Item; marked?: boolean; set?: Record<string, any> };
    /** Opens the screen's detail on an item. */
    select: { id: Id };
    /** Loads the page before, because the user came to the start. */
    reachTop: void;
    /** Says which rows are in sight, from `start` to the one before `end`. */
    viewport: { start: number; end: number; revision?: number };
    /** Puts an item before the one with an id, or first. */
    insert: { item: Item; before?: Id };
    /** Takes an item out, or all that is marked. */
    remove: { id?: Id; marked?: boolean };
    /** Filters and sorts otherwise. */
    filter: { set: Record<string, any> };
    /** Lists what was held back. */
    showArrivals: void;
    /** Goes to a row or an item of a list that is seen through a window. */
    jump: { index?: number; id?: Id };
    /** Marks an item, those between two, or all, to be edited together. */
    mark: { id?: Id; from?: Id; to?: Id; all?: boolean };
    /** Takes marks away. */
    unmark: { id?: Id; from?: Id; to?: Id; all?: boolean };
    /** Undoes the newest edit that can be undone. */
    undo: void;
  };
}

/** One item of a list at a time. */
export interface PagerModel<Item> {
  values: {
    /** Where the user is. */
    page: PagerPage<Item>;
    /** Whether the list loads. */
    loading: boolean;
    /** The list's failure that stands. */
    error: Failure | null;
  };
  events: {
    /** The view was closed, by whomever. */
    closed: null;
  };
  inputs: {
    /** Goes to the neighbour, or to the item with an id. */
    swipe: { to?: "next" | "previous"; id?: Id };
  };
}

/** A list that is searched as somebody types. */
export interface SearchModel<Item> {
  values: ListModel<Item>["values"] & {
    /** What is looked for. */
    query: string;
    /** Whether a first page came, and nothing is listed. */
    noResult: boolean;
  };
  events: ListModel<Item>["events"] & {
  };
  inputs: ListModel<Item>["inputs"] & {
    /** Looks for a text when the user has stopped typing. */
    search: { text: string };
    /** Looks for everything, at once. */
    cancelSearch: void;
  };
}

/** Something to choose. */
export interface ChoiceModel<Choice = string> {
  values: {
    /** What there is to choose from: texts, or objects with an `id`. */
    choices: readonly Choice[];
  };
  events: {
    /** It is done: the view may go. */
    dismiss: {};
    /** The view was closed, by whomever. */
    closed: null;
  };
  inputs: {
    /** Tells the stores. The view says `dismiss`, and stays open until it is closed. */
    choose: { id: Id };
  };
}

/** One page, loaded whenever it is asked for. */
export interface FeedModel<Item> {
  values: {
    /** The items of the newest answer. */
    offers: readonly Item[];
    /** Whether a load is running. */
    loading: boolean;
    /** The failure that stands. */
    error: Failure | null;
  };
  events: {
    /** The view was closed, by whomever. */
    closed: null;
  };
  inputs: {
    /** Loads the page. */
    refresh: void;
  };
}

/** The kinds of task that every client should know. */
export type TaskKind = "alert" | "confirm" | "prompt" | "choose" | "pickImage" | "login";

/** What the tasks of these kinds say, each some of it. */
export interface TaskMembers<Choice = any> {
  /** Where to sign in. */
  title?: string;
  /** More of it. */
  message?: string;
  /** What stands there at first. */
  text?: string;
  /** What there is to choose from. */
  choices?: readonly Choice[];
}
