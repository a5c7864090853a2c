public import Nagare

// The built-in view models.
//
// Generated from protocol/openrpc.json; make generate

/// The inputs of a list.
public struct ListInput<Item: Codable & Sendable>: Ports {
  /// Loads the first page when the view appears for the first time.
  public let viewWillAppear = Trigger()
  /// Loads the next page when the user reaches the end of the list.
  public let reachBottom = Trigger()
  /// Loads the next page for any other reason.
  public let loadMore = Trigger()
  /// Loads the first page again.
  public let refresh = Trigger()
  /// Repeats the load that failed.
  public let retry = Trigger()
  /// Replaces a listed item, or sets fields of all marked items.
  public let change = Port<Change<Item>>()
  /// Opens the detail screen for an item.
  public let select = Port<ItemID>("id")
  /// Loads the previous page when the user reaches the start of the list.
  public let reachTop = Trigger()
  /// Reports the rows in sight: from `start` up to, but not including, `end`.
  public let viewport = Port<Viewport>()
  /// Inserts an item before another one, or at the start.
  public let insert = Port<Insert<Item>>()
  /// Removes an item, or all marked items.
  public let remove = Port<Remove>()
  /// Changes the filters and the sorting.
  public let filter = Port<RawJSON>("set")
  /// Lists the deferred arrivals.
  public let showArrivals = Trigger()
  /// Moves the window to a row or an item.
  public let jump = Port<Jump>()
  /// Marks an item, a range of items, or all items.
  public let mark = Port<Mark>()
  /// Removes marks.
  public let unmark = Port<Unmark>()
  /// Undoes the newest edit that can be undone.
  public let undo = Trigger()

  /// Creates the inputs.
  public init() {}
}

/// The outputs of a list.
public struct ListOutput<Item: Codable & Sendable> {
  /// The listed items.
  public let items: Driver<Rows<Item>>
  /// Whether the list is loading.
  public let loading: Driver<Bool>
  /// The current failure; null if there is none.
  public let error: Driver<Failure?>
  /// The state of the newest load.
  public let state: Driver<LoadState>
  /// The filters and the sorting.
  public let filters: Driver<RawJSON>
  /// The sections: groups of consecutive items that share a value.
  public let sections: Driver<[ListSection]>
  /// The marked items.
  public let marks: Driver<Marks>
  /// The items with unfinished edits.
  public let pending: Driver<[PendingItem]>
  /// The newest edit that can be undone; null if there is none.
  public let undoable: Driver<UndoableEdit?>
  /// A view that was opened.
  public let navigate: Signal<Navigation>
  /// The deferred arrivals: new items before the first one.
  public let arrivals: Driver<Arrivals>
  /// The deferred arrivals are listed now: scroll to the start.
  public let scrollToTop: Signal<Void>
  /// A row to scroll to.
  public let scrollTo: Signal<ScrollTarget>
}

/// A list that loads page by page.
public typealias ListView<Item: Codable & Sendable> = RemoteView<ListInput<Item>, ListOutput<Item>>

/// The inputs of a pager.
public struct PagerInput: Ports {
  /// Moves to the next or previous item, or to the item with an id.
  public let swipe = Port<Swipe>()

  /// Creates the inputs.
  public init() {}
}

/// The outputs of a pager.
public struct PagerOutput<Item: Codable & Sendable> {
  /// The current item, and its position in the list.
  public let page: Driver<PagerPage<Item>>
  /// Whether the list is loading.
  public let loading: Driver<Bool>
  /// The current failure of the list; null if there is none.
  public let error: Driver<Failure?>
}

/// One item of a list at a time.
public typealias PagerView<Item: Codable & Sendable> = RemoteView<PagerInput, PagerOutput<Item>>

/// The inputs of a search.
public struct SearchInput<Item: Codable & Sendable>: Ports {
  /// Loads the first page when the view appears for the first time.
  public let viewWillAppear = Trigger()
  /// Loads the next page when the user reaches the end of the list.
  public let reachBottom = Trigger()
  /// Loads the next page for any other reason.
  public let loadMore = Trigger()
  /// Loads the first page again.
  public let refresh = Trigger()
  /// Repeats the load that failed.
  public let retry = Trigger()
  /// Replaces a listed item, or sets fields of all marked items.
  public let change = Port<Change<Item>>()
  /// Opens the detail screen for an item.
  public let select = Port<ItemID>("id")
  /// Loads the previous page when the user reaches the start of the list.
  public let reachTop = Trigger()
  /// Reports the rows in sight: from `start` up to, but not including, `end`.
  public let viewport = Port<Viewport>()
  /// Inserts an item before another one, or at the start.
  public let insert = Port<Insert<Item>>()
  /// Removes an item, or all marked items.
  public let remove = Port<Remove>()
  /// Changes the filters and the sorting.
  public let filter = Port<RawJSON>("set")
  /// Lists the deferred arrivals.
  public let showArrivals = Trigger()
  /// Moves the window to a row or an item.
  public let jump = Port<Jump>()
  /// Marks an item, a range of items, or all items.
  public let mark = Port<Mark>()
  /// Removes marks.
  public let unmark = Port<Unmark>()
  /// Undoes the newest edit that can be undone.
  public let undo = Trigger()
  /// Searches for a text when the user stops typing.
  public let search = Port<String>("text")
  /// Clears the search text and searches at once.
  public let cancelSearch = Trigger()

  /// Creates the inputs.
  public init() {}
}

/// The outputs of a search.
public struct SearchOutput<Item: Codable & Sendable> {
  /// The listed items.
  public let items: Driver<Rows<Item>>
  /// Whether the list is loading.
  public let loading: Driver<Bool>
  /// The current failure; null if there is none.
  public let error: Driver<Failure?>
  /// The state of the newest load.
  public let state: Driver<LoadState>
  /// The filters and the sorting.
  public let filters: Driver<RawJSON>
  /// The sections: groups of consecutive items that share a value.
  public let sections: Driver<[ListSection]>
  /// The marked items.
  public let marks: Driver<Marks>
  /// The items with unfinished edits.
  public let pending: Driver<[PendingItem]>
  /// The newest edit that can be undone; null if there is none.
  public let undoable: Driver<UndoableEdit?>
  /// A view that was opened.
  public let navigate: Signal<Navigation>
  /// The deferred arrivals: new items before the first one.
  public let arrivals: Driver<Arrivals>
  /// The deferred arrivals are listed now: scroll to the start.
  public let scrollToTop: Signal<Void>
  /// A row to scroll to.
  public let scrollTo: Signal<ScrollTarget>
  /// The search text.
  public let query: Driver<String>
  /// Whether the first page was loaded and no item is listed.
  public let noResult: Driver<Bool>
}

/// A list that the user searches by typing.
public typealias SearchView<Item: Codable & Sendable> = RemoteView<SearchInput<Item>, SearchOutput<Item>>

/// The inputs of a choice.
public struct ChoiceInput: Ports {
  /// Dispatches the choice to the stores. The view sends `dismiss`, and stays open until the client closes it.
  public let choose = Port<ItemID>("id")

  /// Creates the inputs.
  public init() {}
}

/// The outputs of a choice.
public struct ChoiceOutput {
  /// The choices: texts, or objects with an `id`.
  public let choices: Driver<[ChoiceItem]>
  /// The user has chosen: the client may close the view.
  public let dismiss: Signal<Void>
}

/// A choice between given values.
public typealias ChoiceView = RemoteView<ChoiceInput, ChoiceOutput>

/// The inputs of a feed.
public struct FeedInput: Ports {
  /// Loads the page.
  public let refresh = Trigger()

  /// Creates the inputs.
  public init() {}
}

/// The outputs of a feed.
public struct FeedOutput<Item: Codable & Sendable> {
  /// The items of the newest response.
  public let offers: Driver<[Item]>
  /// Whether the list is loading.
  public let loading: Driver<Bool>
  /// The current failure; null if there is none.
  public let error: Driver<Failure?>
}

/// One page, which is loaded on request.
public typealias FeedView<Item: Codable & Sendable> = RemoteView<FeedInput, FeedOutput<Item>>
