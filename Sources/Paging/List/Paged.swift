public import Flow
public import ItemList
internal import WireJSON

/// A list that grows page by page at both ends, and can be edited, searched and loaded again: a value, part of a state.
///
/// Steps say which page is wanted; what gives pages is declared once. Of each page that comes, items whose ids are listed
/// already take their places, and the others are added.
///
/// ```swift
/// struct State { var articles = Paged<Article>() }
/// // …
/// state.on(input.appear) { $0.articles.firstIfNew() }
/// state.on(input.reachBottom) { $0.articles.next() }
/// state.react(to: \.articles) { request in api.articles(request) }
/// return Output(articles: state.articles.items, loading: state.isLoading, error: state.failure)
/// ```
/// One load runs at a time: ``first()``, ``search(_:ifLoaded:isNamed:)`` and ``filter(_:ifLoaded:isNamed:)`` drop the one
/// that runs, the others begin none meanwhile.
///
/// A source that says how it changes is followed by one line, `state.follow(\.articles) { request in api.changes(request) }`:
/// see ``SourceChanges``.
///
/// What is edited is listed at once. Edits of the kinds that the source takes are ``edits``, work of their own: a refused
/// one is undone as if it had never been made, wherever pages and other edits have put its item meanwhile.
public struct Paged<Item> {
  var core: CopyOnWrite<ListCore>

  /// A list of which nothing was loaded.
  ///
  /// - Parameters:
  ///   - options: how the list behaves.
  ///   - source: what its source can do. Edits that the source doesn't make are made by the list alone.
  ///   - query: what is looked for at first; empty for everything.
  ///   - filters: what the items are filtered and sorted by at first; nil for nothing.
  ///   - margin: how many rows a client holds on either side of those in sight; nil if it holds all that is loaded.
  public init(
    _ options: PagingOptions, source: SourceCapabilities = SourceCapabilities(), query: String = "",
    filters: Filters? = nil, margin: Int? = nil
  ) {
    self.init(ListDeclaration(options, source, margin: margin, isServed: false), query, filters)
  }

  init(_ declaration: ListDeclaration, _ query: String = "", _ filters: Filters? = nil) {
    core = CopyOnWrite(ListCore(declaration, Criteria(query: query, filters: filters)))
  }

  /// A list of which nothing was loaded.
  ///
  /// - Parameters:
  ///   - pageSize: how many items a page should have.
  ///   - onRefresh: what happens to the items when the first page is loaded again.
  ///   - writes: the kinds of edits that the source makes. The list makes all others by itself.
  ///   - order: the members by which the source's items are in order; empty if it reports a place for each item.
  public init(
    pageSize: Int = 20, onRefresh: OnRefresh = .clear, writes: [EditKind] = [], order: [RowOrder] = []
  ) {
    self.init(
      PagingOptions(pageSize: pageSize, onRefresh: onRefresh), source: SourceCapabilities(writes: writes, order: order))
  }

  /// Changes facts of the list, and then derives what follows from them.
  @inline(__always)
  mutating func step<Result, Failed: Error>(
    _ body: (inout ListCore) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try core.value.step(body)
  }

  /// The edits that the source is to make.
  ///
  /// Assigning the edits of this list after they were answered has the list receive the answers. Other values change nothing.
  public var edits: PagedEdits<Item> {
    get { PagedEdits(core.value) }
    set {
      let answers = newValue.answers
      if !answers.isEmpty { step { core in for answer in answers { core.receive(answer) } } }
    }
  }

  // MARK: - What is known

  /// What is looked for; empty for everything.
  public var query: String { core.value.criteria.query ?? "" }
  /// What the items are filtered and sorted by; nil where nothing is.
  public var filters: Filters? { core.value.criteria.filters }
  /// How many searches have got their first page.
  public var answeredQueries: Int { core.value.loads.answeredQueries }
  /// What has made the newest load begin.
  public var trigger: LoadTrigger { core.value.loads.newest.trigger }
  /// How far the newest load has come.
  public var phase: LoadPhase { core.value.loads.phase }
  /// Whether a page is awaited.
  public var isLoading: Bool { core.value.loads.running != nil }
  /// How far the page has come that is awaited; nil where its source doesn't say.
  public var progress: LoadProgress? { core.value.loads.running?.progress }
  /// Whether the source has a page after what is listed.
  public var hasMore: Bool { core.value.hasMore }
  /// Whether a page came, and nothing is listed.
  public var isWithoutResult: Bool { core.value.isWithoutResult }
  /// How many items are listed.
  public var count: Int { core.value.shown.list.count }
  /// How many items the source has in all, where it knows.
  public var total: Int? { core.value.total }
  /// Whether its source says how it changes.
  public var isLive: Bool { core.value.isFollowed }
  /// How many items are held back that would come to stand before the first.
  public var arrivals: Int { core.value.arrivals }
  /// What is listed, and whether there is more.
  public var listing: Listing {
    Listing(list: shown.list, hasMore: hasMore, removals: core.value.removals, ids: core.value.sent.ids)
  }

  /// The listed items with an edit that isn't finished, in the order in which the edits were made.
  public var pending: [PendingItem] { core.value.pending }

  /// The items that are shown: all of them, or those in the window.
  public var shown: ListSnapshot { core.value.shown }
  /// Where a client that holds a window is to scroll to.
  public var scroll: Pulse<ScrollTarget> {
    get { core.value.window?.scroll ?? Pulse() }
    set { core.value.window?.scroll = newValue }
  }

  // MARK: - Loading

  /// Loads the first page, and drops a load that runs.
  public mutating func first() { step { $0.load(.refresh, isNamed: false) } }

  /// Loads the first page, unless a load has begun before.
  public mutating func firstIfNew() { step { $0.load(.appear, isNamed: false) } }

  /// Loads the page after what is listed, if there is one and nothing is loading.
  public mutating func next() { step { $0.load(.loadMore, isNamed: false) } }

  /// Loads the page before what is listed, if there is one and nothing is loading.
  public mutating func previous() { step { $0.load(.reachTop, isNamed: false) } }

  /// Loads the page once more whose load has failed.
  public mutating func retry() { step { $0.load(.retry, isNamed: false) } }

  /// Loads what the rows in sight ask for: the next page if they come near the end, the previous one near the start.
  /// After a failure they ask for nothing.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - prefetch: how many rows before an end are near enough.
  public mutating func show(_ rows: Range<Int>, prefetch: Int = 0) {
    see(rows)
    if let trigger = loadTrigger(forVisibleRows: rows, prefetch: prefetch) {
      step { $0.load(trigger, isNamed: false) }
    }
  }

  /// Loads what the rows in sight ask for, as a frontend reports them.
  ///
  /// - Parameters:
  ///   - viewport: the rows in sight.
  ///   - prefetch: how many rows before an end are near enough.
  /// - Throws: a ``Refusal`` if the rows are no range, such as 5 to 1.
  public mutating func show(_ viewport: Viewport, prefetch: Int = 0) throws(Refusal) {
    let rows = try viewport.range(in: core.value.shown)
    see(rows, at: viewport.revision)
    if let trigger = loadTrigger(forVisibleRows: rows, prefetch: prefetch) {
      step { $0.load(trigger, isNamed: false) }
    }
  }

  /// Takes note of the rows that are in sight, without loading anything: a list that is read again is read there, and what
  /// comes in before the first row may be held back while that isn't in sight.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - revision: the ``ListSnapshot/revision`` of a window that they are meant in; nil for the newest.
  public mutating func see(_ rows: Range<Int>, at revision: Int? = nil) { step { $0.see(rows, at: revision) } }

  /// Lists the items that were held back; false if there were none.
  @discardableResult
  public mutating func showArrivals() -> Bool { step { $0.showArrivals() } }

  /// Loads the first page of something else; nothing happens if it is looked for already.
  ///
  /// - Parameters:
  ///   - text: what to look for; empty for everything.
  ///   - ifLoaded: whether to wait for another reason to load, as long as nothing was loaded.
  ///   - isNamed: whether a failure is named by ``LoadTrigger/search`` rather than by the input.
  public mutating func search(_ text: String, ifLoaded: Bool = false, isNamed: Bool = false) {
    let criteria = Criteria(query: text, filters: filters)
    step { $0.ask(for: criteria, .search, ifLoaded: ifLoaded, isNamed: isNamed) }
  }

  /// Loads the first page of what is filtered or sorted otherwise; nothing happens if it is so already.
  ///
  /// - Parameters:
  ///   - filters: what to filter and sort by; nil for nothing.
  ///   - ifLoaded: whether to wait for another reason to load, as long as nothing was loaded.
  ///   - isNamed: whether a failure is named by ``LoadTrigger/filter`` rather than by the input.
  public mutating func filter(_ filters: Filters?, ifLoaded: Bool = false, isNamed: Bool = false) {
    let criteria = Criteria(query: query, filters: filters)
    step { $0.ask(for: criteria, .filter, ifLoaded: ifLoaded, isNamed: isNamed) }
  }

  // MARK: - Windows

  /// Goes to a row of a list that is seen through a window; false if there is none at that position.
  public mutating func jump(to index: Int) -> Bool { step { $0.jump(to: index) } }

  /// Goes to an item of a list that is seen through a window; false if it isn't read, and its source can't be asked for
  /// it. Where it can, it is asked first.
  public mutating func jump(to id: ItemID) -> Bool { step { $0.jump(to: id) } }

  /// Has a row of a list that is seen through a window read, and kept wherever the window is, with those beside it: one
  /// for each who shows any, as long as that is there.
  package mutating func show(_ row: ShownRow?, for owner: AnyObject) { step { $0.show(row, for: owner) } }

  // MARK: - Loading by triggers

  /// Loads what a trigger stands for, and names the load and its failure by it rather than by the input.
  ///
  /// - Parameter trigger: what makes the load begin. One for a page at an end begins none while a load runs.
  public mutating func load(_ trigger: LoadTrigger) { step { $0.load(trigger, isNamed: true) } }

  /// What rows in sight ask for.
  ///
  /// - Parameters:
  ///   - rows: the rows in sight.
  ///   - prefetch: how many rows before an end are near enough.
  /// - Returns: what to load, if there is more at that end, and neither a load nor a failure is in its way.
  public func loadTrigger(forVisibleRows rows: Range<Int>, prefetch: Int) -> LoadTrigger? {
    core.value.loadTrigger(forVisibleRows: rows, prefetch: prefetch)
  }
}

extension Paged: Effect {
  /// Another one after each change of what is wanted or of the failure.
  public var revision: Int { core.value.loads.revision }
  /// The load that runs.
  public var wanted: WantedNumbers { core.value.loads.running.map { .one($0.number) } ?? .none }
  /// The failure that stands, of a load or of an edit; nil again when a load begins, and an edit's also when its source is
  /// asked for another edit.
  public var failure: Failure? { core.value.loads.failures.shown }

  /// The page that a load asks for.
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

  /// Takes note of how far the page has come, or that it is asked for once more: then it knows of the edits that the source
  /// has made by now.
  public mutating func record(_ report: RunReport, of number: Int) { step { $0.record(report, of: number) } }

  /// Takes the page that was asked for.
  ///
  /// - Throws: a `LoadFailure` of what was wrong with some of its records; the others are listed.
  public mutating func receive(_ page: Page<Item>, of number: Int) throws {
    guard number == core.value.loads.running?.number else { return }
    let failures = try step { core throws(LoadFailure) in try core.receive(page) }
    guard var first = failures.first else { return }
    if failures.count > 1 { first.message += " (and \(failures.count - 1) more on this page)" }
    throw first
  }

  /// Takes note that a load has failed or was given up.
  public mutating func end(_ number: Int, failure: Failure?) { step { $0.fail(failure, of: number) } }
}

extension Paged: Follower {
  /// What the source is asked that is to say how it changes, once a first load has begun.
  public var following: (number: Int, subject: WatchRequest)? { core.value.watchRequest }

  /// Takes what the source says: first from which state on it will tell, and what has happened since it was asked about,
  /// then what happens.
  ///
  /// - Throws: a `LoadFailure` of what was wrong with some changes; the others are listed.
  public mutating func receive(_ changes: SourceChanges<Item>) throws {
    step { $0.receive(changes) }
    guard var first = changes.failures.first else { return }
    if changes.failures.count > 1 { first.message += " (and \(changes.failures.count - 1) more)" }
    throw first
  }

  /// Takes note that the source won't tell any more: the list stands still, if it isn't to be asked again.
  ///
  /// - Throws: the failure of a watch that is asked for again; it stands until one is answered.
  public mutating func endFollowing(_ error: (any Error)?) throws {
    try step { try $0.endWatch(error) }
  }

  /// Takes note of what was wrong with what the source has said, or why it wasn't heard.
  public mutating func record(_ failure: Failure) { step { $0.record(failure) } }

  mutating func endPause() { step { $0.endPause() } }

  mutating func endRest() { step { $0.endRest() } }

  /// The time of rest after something was listed that the source has said.
  var pace: Pause {
    get { core.value.pace }
    set { core.value.pace = newValue }
  }

  /// The time after an invalidated list was read again in which that isn't done once more.
  var rest: Pause {
    get { core.value.rest }
    set { core.value.rest = newValue }
  }
}
