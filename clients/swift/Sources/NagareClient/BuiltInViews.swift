public import Nagare

// The built-in view models.
//
// Generated from protocol/openrpc.json; make generate

/// What a frontend does with a list.
public struct ListInput<Item: Codable & Sendable>: Ports {
  /// Loads the first page, the first time.
  public let viewWillAppear = Trigger()
  /// Loads the next page, because the user came to the end.
  public let reachBottom = Trigger()
  /// Loads the next page, for whatever reason.
  public let loadMore = Trigger()
  /// Loads the first page again.
  public let refresh = Trigger()
  /// Loads again what failed.
  public let retry = Trigger()
  /// Replaces a listed item by one with the same id, or gives all that is marked some members.
  public let change = Port<Change<Item>>()
  /// Opens the screen's detail on an item.
  public let select = Port<ItemID>("id")
  /// Loads the page before, because the user came to the start.
  public let reachTop = Trigger()
  /// Says which rows are in sight, from `start` to the one before `end`.
  public let viewport = Port<Viewport>()
  /// Puts an item before the one with an id, or first.
  public let insert = Port<Insert<Item>>()
  /// Takes an item out, or all that is marked.
  public let remove = Port<Remove>()
  /// Filters and sorts otherwise.
  public let filter = Port<RawJSON>("set")
  /// Lists what was held back.
  public let showArrivals = Trigger()
  /// Goes to a row or an item of a list that is seen through a window.
  public let jump = Port<Jump>()
  /// Marks an item, those between two, or all, to be edited together.
  public let mark = Port<Mark>()
  /// Takes marks away.
  public let unmark = Port<Unmark>()
  /// Undoes the newest edit that can be undone.
  public let undo = Trigger()

  /// The inputs.
  public init() {}
}

/// What a list says.
public struct ListOutput<Item: Codable & Sendable> {
  /// What is listed.
  public let items: Driver<Rows<Item>>
  /// Whether a load is running.
  public let loading: Driver<Bool>
  /// The failure that stands.
  public let error: Driver<Failure?>
  /// How far the newest load has come.
  public let state: Driver<LoadState>
  /// What is filtered and sorted by.
  public let filters: Driver<RawJSON>
  /// Neighbours that have something in common, and where they are.
  public let sections: Driver<[ListSection]>
  /// What is marked.
  public let marks: Driver<Marks>
  /// The items whose edits aren't finished.
  public let pending: Driver<[PendingItem]>
  /// The newest edit that can be undone; null if there is none.
  public let undoable: Driver<UndoableEdit?>
  /// A view that was opened.
  public let navigate: Signal<Navigation>
  /// The new items before the first one that the list defers.
  public let arrivals: Driver<Arrivals>
  /// What was held back is listed.
  public let scrollToTop: Signal<Void>
  /// Where the rows in sight are to be.
  public let scrollTo: Signal<ScrollTarget>
}

/// Items that grow page by page.
public typealias ListView<Item: Codable & Sendable> = RemoteView<ListInput<Item>, ListOutput<Item>>

/// What a frontend does with a pager.
public struct PagerInput: Ports {
  /// Goes to the neighbour, or to the item with an id.
  public let swipe = Port<Swipe>()

  /// The inputs.
  public init() {}
}

/// What a pager says.
public struct PagerOutput<Item: Codable & Sendable> {
  /// Where the user is.
  public let page: Driver<PagerPage<Item>>
  /// Whether the list loads.
  public let loading: Driver<Bool>
  /// The list's failure that stands.
  public let error: Driver<Failure?>
}

/// One item of a list at a time.
public typealias PagerView<Item: Codable & Sendable> = RemoteView<PagerInput, PagerOutput<Item>>

/// What a frontend does with a search.
public struct SearchInput<Item: Codable & Sendable>: Ports {
  /// Loads the first page, the first time.
  public let viewWillAppear = Trigger()
  /// Loads the next page, because the user came to the end.
  public let reachBottom = Trigger()
  /// Loads the next page, for whatever reason.
  public let loadMore = Trigger()
  /// Loads the first page again.
  public let refresh = Trigger()
  /// Loads again what failed.
  public let retry = Trigger()
  /// Replaces a listed item by one with the same id, or gives all that is marked some members.
  public let change = Port<Change<Item>>()
  /// Opens the screen's detail on an item.
  public let select = Port<ItemID>("id")
  /// Loads the page before, because the user came to the start.
  public let reachTop = Trigger()
  /// Says which rows are in sight, from `start` to the one before `end`.
  public let viewport = Port<Viewport>()
  /// Puts an item before the one with an id, or first.
  public let insert = Port<Insert<Item>>()
  /// Takes an item out, or all that is marked.
  public let remove = Port<Remove>()
  /// Filters and sorts otherwise.
  public let filter = Port<RawJSON>("set")
  /// Lists what was held back.
  public let showArrivals = Trigger()
  /// Goes to a row or an item of a list that is seen through a window.
  public let jump = Port<Jump>()
  /// Marks an item, those between two, or all, to be edited together.
  public let mark = Port<Mark>()
  /// Takes marks away.
  public let unmark = Port<Unmark>()
  /// Undoes the newest edit that can be undone.
  public let undo = Trigger()
  /// Looks for a text when the user has stopped typing.
  public let search = Port<String>("text")
  /// Looks for everything, at once.
  public let cancelSearch = Trigger()

  /// The inputs.
  public init() {}
}

/// What a search says.
public struct SearchOutput<Item: Codable & Sendable> {
  /// What is listed.
  public let items: Driver<Rows<Item>>
  /// Whether a load is running.
  public let loading: Driver<Bool>
  /// The failure that stands.
  public let error: Driver<Failure?>
  /// How far the newest load has come.
  public let state: Driver<LoadState>
  /// What is filtered and sorted by.
  public let filters: Driver<RawJSON>
  /// Neighbours that have something in common, and where they are.
  public let sections: Driver<[ListSection]>
  /// What is marked.
  public let marks: Driver<Marks>
  /// The items whose edits aren't finished.
  public let pending: Driver<[PendingItem]>
  /// The newest edit that can be undone; null if there is none.
  public let undoable: Driver<UndoableEdit?>
  /// A view that was opened.
  public let navigate: Signal<Navigation>
  /// The new items before the first one that the list defers.
  public let arrivals: Driver<Arrivals>
  /// What was held back is listed.
  public let scrollToTop: Signal<Void>
  /// Where the rows in sight are to be.
  public let scrollTo: Signal<ScrollTarget>
  /// What is looked for.
  public let query: Driver<String>
  /// Whether a first page came, and nothing is listed.
  public let noResult: Driver<Bool>
}

/// A list that is searched as somebody types.
public typealias SearchView<Item: Codable & Sendable> = RemoteView<SearchInput<Item>, SearchOutput<Item>>

/// What a frontend does with a choice.
public struct ChoiceInput: Ports {
  /// Tells the stores. The view says `dismiss`, and stays open until it is closed.
  public let choose = Port<ItemID>("id")

  /// The inputs.
  public init() {}
}

/// What a choice says.
public struct ChoiceOutput {
  /// What there is to choose from: texts, or objects with an `id`.
  public let choices: Driver<[ChoiceItem]>
  /// It is done: the view may go.
  public let dismiss: Signal<Void>
}

/// Something to choose.
public typealias ChoiceView = RemoteView<ChoiceInput, ChoiceOutput>

/// What a frontend does with a feed.
public struct FeedInput: Ports {
  /// Loads the page.
  public let refresh = Trigger()

  /// The inputs.
  public init() {}
}

/// What a feed says.
public struct FeedOutput<Item: Codable & Sendable> {
  /// The items of the newest answer.
  public let offers: Driver<[Item]>
  /// Whether a load is running.
  public let loading: Driver<Bool>
  /// The failure that stands.
  public let error: Driver<Failure?>
}

/// One page, loaded whenever it is asked for.
public typealias FeedView<Item: Codable & Sendable> = RemoteView<FeedInput, FeedOutput<Item>>
