public import Flow
public import ItemList
internal import WireJSON

/// A list that loads page by page in both directions, and can be edited, searched and reloaded. It is a value, part of
/// a view model's state.
///
/// Steps decide which page to load. The code that loads pages is connected once, by `react`.
///
/// ```swift
/// struct State { var articles = Paged<Article>() }
/// // …
/// state.on(input.appear) { $0.articles.firstIfNew() }
/// state.on(input.reachBottom) { $0.articles.next() }
/// state.react(to: \.articles) { request in api.articles(request) }
/// return Output(articles: state.articles.items, loading: state.isLoading, error: state.failure)
/// ```
/// - At most one load runs at a time. ``first()``, ``search(_:ifLoaded:isNamed:)`` and ``filter(_:ifLoaded:isNamed:)``
///   drop the running load; the other functions start no load while one runs.
/// - When a page arrives, each item whose id is listed already replaces the listed item. The other items are added.
/// - An edit is listed at once. If the source can make edits of that kind, it is also sent to the source: see
///   ``edits``. A refused edit is undone as if it had never been made, even if pages and other edits have moved its
///   item.
/// - To keep the list up to date with a source that reports its changes, add `state.follow(\.articles) { request in
///   api.changes(request) }`: see ``SourceChanges``.
public struct Paged<Item> {
  var core: CopyOnWrite<ListCore>

  /// Creates a list. It loads nothing yet.
  ///
  /// - Parameters:
  ///   - options: how the list behaves.
  ///   - source: what its source can do. Edits that the source can't make are made by the list alone.
  ///   - query: the query at first; empty for everything.
  ///   - filters: the filters and the order at first; nil for none.
  ///   - margin: how many rows a client holds on either side of the viewport; nil if it holds all loaded rows.
  public init(
    _ options: PagingOptions, source: SourceCapabilities = SourceCapabilities(), query: String = "",
    filters: Filters? = nil, margin: Int? = nil
  ) {
    self.init(ListDeclaration(options, source, margin: margin, isServed: false), query, filters)
  }

  init(_ declaration: ListDeclaration, _ query: String = "", _ filters: Filters? = nil) {
    core = CopyOnWrite(ListCore(declaration, Criteria(query: query, filters: filters)))
  }

  /// Creates a list. It loads nothing yet.
  ///
  /// - Parameters:
  ///   - pageSize: how many items to request for a page.
  ///   - onRefresh: what happens to the items when the first page is loaded again.
  ///   - writes: the kinds of edits that the source makes. The list makes all others alone; if it is nil, all.
  ///   - order: the fields that the source's items are sorted by; empty if the source reports a position for each item.
  public init(
    pageSize: Int = 20, onRefresh: OnRefresh = .clear, writes: [EditKind]? = nil, order: [RowOrder] = []
  ) {
    self.init(
      PagingOptions(pageSize: pageSize, onRefresh: onRefresh), source: SourceCapabilities(writes: writes, order: order))
  }

  /// Runs a step: changes the list's properties, and then derives everything that depends on them.
  @inline(__always)
  mutating func step<Result, Failed: Error>(
    _ body: (inout ListCore) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try core.value.step(body)
  }

  /// The edits to send to the source.
  ///
  /// Assigning this property after the edits were answered makes the list handle the answers. Assigning any other value
  /// changes nothing.
  public var edits: PagedEdits<Item> {
    get { PagedEdits(core.value) }
    set {
      let answers = newValue.answers
      if !answers.isEmpty { step { core in for answer in answers { core.receive(answer) } } }
    }
  }

  // MARK: - State

  /// The query; empty for everything.
  public var query: String { core.value.criteria.query ?? "" }
  /// The filters and the order; nil for none.
  public var filters: Filters? { core.value.criteria.filters }
  /// How many searches have loaded their first page.
  public var answeredQueries: Int { core.value.loads.answeredQueries }
  /// The trigger of the newest load.
  public var trigger: LoadTrigger { core.value.loads.newest.trigger }
  /// How far the newest load has come.
  public var phase: LoadPhase { core.value.loads.phase }
  /// Whether a load is running.
  public var isLoading: Bool { core.value.loads.running != nil }
  /// The progress of the running load; nil if its source doesn't report progress.
  public var progress: LoadProgress? { core.value.loads.running?.progress }
  /// Whether the source has a page after the listed rows.
  public var hasMore: Bool { core.value.hasMore }
  /// Whether a page has loaded and nothing is listed.
  public var isWithoutResult: Bool { core.value.isWithoutResult }
  /// The number of listed items, loaded or not.
  public var count: Int { core.value.shown.list.count }
  /// The number of the source's items; nil if unknown.
  public var total: Int? { core.value.total }
  /// Whether the list receives the changes that its source reports.
  public var isLive: Bool { core.value.isFollowed }
  /// The number of deferred arrivals.
  public var arrivals: Int { core.value.arrivals }
  /// The listed rows, and whether there are more.
  public var listing: Listing {
    Listing(list: shown.list, hasMore: hasMore, removals: core.value.removals, ids: core.value.sent.ids)
  }

  /// The listed items whose edits aren't finished, in the order in which the edits were made.
  public var pending: [PendingItem] { core.value.pending }

  /// The rows that a client receives: all of them, or those in its window.
  public var shown: ListSnapshot { core.value.shown }
  /// The row that a client with a window should scroll to.
  public var scroll: Pulse<ScrollTarget> {
    get { core.value.window?.scroll ?? Pulse() }
    set { core.value.window?.scroll = newValue }
  }

  // MARK: - Loading

  /// Loads the first page. Drops a running load.
  public mutating func first() { step { $0.load(.refresh, isNamed: false) } }

  /// Loads the first page, if no load has begun before.
  public mutating func firstIfNew() { step { $0.load(.appear, isNamed: false) } }

  /// Loads the next page, if there is one and no load is running.
  public mutating func next() { step { $0.load(.loadMore, isNamed: false) } }

  /// Loads the page before the listed rows, if there is one and no load is running.
  public mutating func previous() { step { $0.load(.reachTop, isNamed: false) } }

  /// Loads the page of the failed load again.
  public mutating func retry() { step { $0.load(.retry, isNamed: false) } }

  /// Records the rows in sight, and loads a page if they are near an end: the next page near the end, the page before
  /// near the start. While a failure stands, nothing is loaded.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - prefetch: how many rows from an end count as near.
  public mutating func show(_ rows: Range<Int>, prefetch: Int = 0) {
    setViewport(rows)
    if let trigger = loadTrigger(forVisibleRows: rows, prefetch: prefetch) {
      step { $0.load(trigger, isNamed: false) }
    }
  }

  /// Records the viewport that a frontend sent, and loads a page if the rows in sight are near an end.
  ///
  /// - Parameters:
  ///   - viewport: the rows in sight.
  ///   - prefetch: how many rows from an end count as near.
  /// - Throws: a ``Refusal`` if the rows aren't a range, such as 5 to 1.
  public mutating func show(_ viewport: Viewport, prefetch: Int = 0) throws(Refusal) {
    let rows = try viewport.range(in: core.value.shown)
    setViewport(rows, at: viewport.revision)
    if let trigger = loadTrigger(forVisibleRows: rows, prefetch: prefetch) {
      step { $0.load(trigger, isNamed: false) }
    }
  }

  /// Records the rows in sight, without loading anything. A reload loads the rows in sight, and arrivals may be
  /// deferred while the first row isn't in sight.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - revision: the ``ListSnapshot/revision`` of the window that the positions refer to; nil for the newest.
  public mutating func setViewport(_ rows: Range<Int>, at revision: Int? = nil) {
    step { $0.setViewport(rows, at: revision) }
  }

  /// Lists the deferred arrivals. Returns false if there were none.
  @discardableResult
  public mutating func showArrivals() -> Bool { step { $0.showArrivals() } }

  /// Changes the query and loads its first page. Does nothing if the query is the same.
  ///
  /// - Parameters:
  ///   - text: the query; empty for everything.
  ///   - ifLoaded: whether to only record the query if no load has begun yet. The first load then uses it.
  ///   - isNamed: whether a failure has the name ``LoadTrigger/search``, rather than that of the input.
  public mutating func search(_ text: String, ifLoaded: Bool = false, isNamed: Bool = false) {
    let criteria = Criteria(query: text, filters: filters)
    step { $0.ask(for: criteria, .search, ifLoaded: ifLoaded, isNamed: isNamed) }
  }

  /// Changes the filters and loads their first page. Does nothing if the filters are the same.
  ///
  /// - Parameters:
  ///   - filters: the filters and the order; nil for none.
  ///   - ifLoaded: whether to only record the filters if no load has begun yet. The first load then uses them.
  ///   - isNamed: whether a failure has the name ``LoadTrigger/filter``, rather than that of the input.
  public mutating func filter(_ filters: Filters?, ifLoaded: Bool = false, isNamed: Bool = false) {
    let criteria = Criteria(query: query, filters: filters)
    step { $0.ask(for: criteria, .filter, ifLoaded: ifLoaded, isNamed: isNamed) }
  }

  // MARK: - Windows

  /// Moves the window to a row. Returns false if the row doesn't exist, or if the list has no window.
  public mutating func jump(to index: Int) -> Bool { step { $0.jump(to: index) } }

  /// Moves the window to an item. Returns false if the item isn't loaded and the source can't find pages by an item. If
  /// the source can, the page is loaded first.
  public mutating func jump(to id: ItemID) -> Bool { step { $0.jump(to: id) } }

  /// Keeps a row and its neighbours loaded while a pager shows it, wherever the window is. Each pager has one such row
  /// at a time, until the pager is gone.
  package mutating func show(_ row: ShownRow?, for owner: AnyObject) { step { $0.show(row, for: owner) } }

  // MARK: - Loading by triggers

  /// Begins the load of a trigger. The load and its failure have the name of the trigger, rather than of the input.
  ///
  /// - Parameter trigger: the trigger. If it requests a page at an end, nothing happens while a load runs.
  public mutating func load(_ trigger: LoadTrigger) { step { $0.load(trigger, isNamed: true) } }

  /// Which load the rows in sight require.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - prefetch: how many rows from an end count as near.
  /// - Returns: the trigger to load with; nil if nothing should load: at the end of the source, while a load runs, or
  ///   while a failure stands.
  public func loadTrigger(forVisibleRows rows: Range<Int>, prefetch: Int) -> LoadTrigger? {
    core.value.loadTrigger(forVisibleRows: rows, prefetch: prefetch)
  }
}

extension Paged: Effect {
  /// Changes whenever another load is wanted or the failure changes.
  public var revision: Int { core.value.loads.revision }
  /// The running load.
  public var wanted: WantedNumbers { core.value.loads.running.map { .one($0.number) } ?? .none }
  /// The failure that stands, of a load or an edit. A new load clears it, and a new edit clears the failure of an edit.
  public var failure: Failure? { core.value.loads.failures.shown }

  /// The request for the page of a load.
  public func request(_ number: Int) -> PageRequest? {
    guard let load = core.value.loads.running, load.number == number else { return nil }
    var request = PageRequest(key: load.origin.key, load.criteria, size: load.size)
    switch load.origin {
    case .at(let position), .reload(_, _, at: let position?): request.position = position
    case .around(let id, _): request.around = id
    default: break
    }
    return request
  }

  /// Records the progress of a load, or that its page is requested again. The new attempt's page includes the edits
  /// that the source has made by now.
  public mutating func record(_ report: RunReport, of number: Int) { step { $0.record(report, of: number) } }

  /// Receives the page of the running load.
  ///
  /// - Throws: a `LoadFailure` if some records of the page were unusable; the others are listed.
  public mutating func receive(_ page: Page<Item>, of number: Int) throws {
    guard number == core.value.loads.running?.number else { return }
    let failures = try step { core throws(LoadFailure) in try core.receive(page) }
    guard var first = failures.first else { return }
    if failures.count > 1 { first.message += " (and \(failures.count - 1) more on this page)" }
    throw first
  }

  /// Records that a load failed or was given up.
  public mutating func end(_ number: Int, failure: Failure?) { step { $0.fail(failure, of: number) } }
}

extension Paged: Follower {
  /// The request to report changes, once a first load has begun.
  public var following: (number: Int, subject: WatchRequest)? { core.value.watchRequest }

  /// Receives a report of the source. The first one confirms the watch, and has the changes since the requested state.
  /// The others are changes.
  ///
  /// - Throws: a `LoadFailure` if some changes were unusable; the others are listed.
  public mutating func receive(_ changes: SourceChanges<Item>) throws {
    step { $0.receive(changes) }
    guard var first = changes.failures.first else { return }
    if changes.failures.count > 1 { first.message += " (and \(changes.failures.count - 1) more)" }
    throw first
  }

  /// Handles the end of the source's reports. If the source isn't watched again, the list receives no more changes.
  ///
  /// - Throws: the failure of a watch that is requested again. It stands until a watch is confirmed.
  public mutating func endFollowing(_ error: (any Error)?) throws {
    try step { try $0.endWatch(error) }
  }

  /// Records a failure of reported changes or of the watch.
  public mutating func record(_ failure: Failure) { step { $0.record(failure) } }

  mutating func endPause() { step { $0.endPause() } }

  mutating func endRest() { step { $0.endRest() } }

  /// The pause after reported changes were listed.
  var pace: Pause {
    get { core.value.pace }
    set { core.value.pace = newValue }
  }

  /// The pause after an invalidated list reloaded.
  var rest: Pause {
    get { core.value.rest }
    set { core.value.rest = newValue }
  }
}
