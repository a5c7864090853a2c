public import Nagare
public import Paging

/// A list that grows page by page, and opens a pager on the item that the user selects, like Gmail's list of mails.
public struct List: ViewModel {
  /// The inputs of a list.
  public struct Input: Ports {
    let viewWillAppear = Trigger()
    let reachBottom = Trigger()
    let loadMore = Trigger()
    let refresh = Trigger()
    let retry = Trigger()
    let change: WhenConfigured<Port<ChangeParameters>>
    let select = Port<ItemID>("id")
    let reachTop = Trigger()
    let viewport = Port<Viewport>()
    let insert: WhenConfigured<Port<Insertion>>
    let remove: WhenConfigured<Port<RemoveParameters>>
    let filter: WhenConfigured<Port<FilterChange>>
    let showArrivals: WhenConfigured<Trigger>
    let jump: WhenConfigured<Port<Jump>>
    let mark: WhenConfigured<Port<Marking>>
    let unmark: WhenConfigured<Port<Marking>>
    let undo: WhenConfigured<Trigger>
    let present = Presenter()

    /// Creates the ports of a view whose list can be edited, has no filters, defers no arrivals, and has no window.
    public init() { self.init(ListSettings(), isReadOnly: false) }

    init(_ settings: ListSettings, isReadOnly: Bool) {
      filter = WhenConfigured(settings.filters.isEmpty ? nil : Port())
      showArrivals = WhenConfigured(settings.options.onArrival == .show ? nil : Trigger())
      jump = WhenConfigured(settings.margin == nil ? nil : Port())
      mark = WhenConfigured(settings.options.hasMarks ? Port() : nil)
      unmark = WhenConfigured(settings.options.hasMarks ? Port() : nil)
      if isReadOnly {
        (change, insert, remove) = (WhenConfigured(nil), WhenConfigured(nil), WhenConfigured(nil))
        undo = WhenConfigured(nil)
        return
      }
      undo = WhenConfigured(settings.options.undo == nil ? nil : Trigger())
      insert = WhenConfigured(Port())
      change = WhenConfigured(
        settings.options.hasMarks
          ? Port { (parameters: ChangeParameters) throws(Refusal) in try parameters.checked() }
          : Port("item") { .item($0) })
      remove = WhenConfigured(
        settings.options.hasMarks
          ? Port { (parameters: RemoveParameters) throws(Refusal) in try parameters.checked() }
          : Port("id") { .item($0) })
    }
  }

  /// The outputs of a list.
  public struct Output: Outputs {
    let items: Driver<ListSnapshot>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let state: Driver<LoadState>
    let filters: WhenConfigured<Driver<FilterValues>>
    let sections: WhenConfigured<Driver<[ListSection]>>
    let marks: WhenConfigured<Driver<Marks>>
    let pending: WhenConfigured<Driver<[PendingItem]>>
    let undoable: WhenConfigured<Driver<UndoableEdit?>>
    let navigate: Signal<Navigation>
    let arrivals: WhenConfigured<Driver<Arrivals>>
    let scrollToTop: WhenConfigured<Signal<Void>>
    let scrollTo: WhenConfigured<Signal<ScrollTarget>>
    let pagers: OffTheWire<(ItemID, PagerSettings) -> Pager?>

    /// Creates a pager on one of the items.
    package func pager(on id: ItemID, _ settings: PagerSettings) -> Pager? { pagers.value(id, settings) }
  }

  /// The state of a list.
  struct State {
    var list: Paged<RawJSON>
    var filters: FilterValues
    /// Asks the user to confirm a removal.
    var question = Load<Void>()
    var asked: RemoveParameters?
    /// The text of a search, and the pause after it was typed.
    var text = ""
    var typing = Pause()
    /// Counts how often new items were listed at the top, which is a reason to scroll there.
    var arrivalsShown = 0
    /// Scrolls the window.
    var scroll: Pulse<ScrollTarget> {
      get { list.scroll }
      set { list.scroll = newValue }
    }
  }

  /// Descriptions of the inputs and outputs.
  public static let summaries: KeyValuePairs = [
    "": "A list that loads page by page.",
    "viewWillAppear": "Loads the first page when the view appears for the first time.",
    "reachBottom": "Loads the next page when the user reaches the end of the list.",
    "loadMore": "Loads the next page for any other reason.",
    "refresh": "Loads the first page again.",
    "retry": "Repeats the load that failed.",
    "change": "Replaces a listed item, or sets fields of all marked items.",
    "select": "Opens the detail screen for an item.",
    "reachTop": "Loads the previous page when the user reaches the start of the list.",
    "viewport": "Reports the rows in sight: from `start` up to, but not including, `end`.",
    "insert": "Inserts an item before another one, or at the start.",
    "remove": "Removes an item, or all marked items.",
    "filter": "Changes the filters and the sorting.",
    "showArrivals": "Lists the deferred arrivals.",
    "jump": "Moves the window to a row or an item.",
    "mark": "Marks an item, a range of items, or all items.",
    "unmark": "Removes marks.",
    "undo": "Undoes the newest edit that can be undone.",
    "items": "The listed items.",
    "loading": "Whether the list is loading.",
    "error": "The current failure; null if there is none.",
    "state": "The state of the newest load.",
    "filters": "The filters and the sorting.",
    "sections": "The sections: groups of consecutive items that share a value.",
    "marks": "The marked items.",
    "pending": "The items with unfinished edits.",
    "undoable": "The newest edit that can be undone; null if there is none.",
    "navigate": "A view that was opened.",
    "arrivals": "The deferred arrivals: new items before the first one.",
    "scrollToTop": "The deferred arrivals are listed now: scroll to the start.",
    "scrollTo": "A row to scroll to.",
  ]

  /// The settings of the list.
  public let settings: ListSettings
  /// The source, from which pages are loaded and to which edits are sent.
  public let source: Source<RawJSON>

  /// A list of a source's items.
  public init(_ settings: ListSettings, _ source: Source<RawJSON>) {
    self.settings = settings
    self.source = source
  }

  /// A list whose edits aren't sent to a source. `load` returns a stream of one page, or of a `LoadFailure`. The list
  /// disposes of the subscription when it no longer needs the page.
  public init(_ settings: ListSettings, load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) {
    self.init(settings, Source(page: load))
  }

  /// Creates the ports that the screen's settings and the source's capabilities require.
  public func makeInput() -> Input {
    Input(settings, isReadOnly: source.capabilities.isReadOnly)
  }

  /// Connects the inputs to one state. Each output is a part of this state.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = feedback(input, on: clock)
    return output(
      of: state, input, scrollToTop: settings.options.onArrival == .show ? nil : state.changes(of: \.arrivalsShown))
  }

  /// Creates the state. It follows the inputs, the query and filters of stores, and the results of loads and edits.
  func feedback(_ input: Input, debounce: Duration = .zero, on clock: any Scheduler) -> Feedback<State> {
    let filters = FilterValues(settings.filters)
    let list = Paged<RawJSON>(
      settings.options, source: source.capabilities, query: settings.query, filters: filters.asked,
      margin: settings.margin)
    let state = Feedback(State(list: list, filters: filters), on: clock)
    state.on(input.viewWillAppear) { $0.load(.appear) }
    state.on(input.reachBottom, atMostEvery: settings.options.throttle.duration) { $0.load(.reachBottom) }
    state.on(input.loadMore, atMostEvery: settings.options.throttle.duration) { $0.load(.loadMore) }
    state.on(input.reachTop, atMostEvery: settings.options.throttle.duration) { $0.load(.reachTop) }
    state.on(input.refresh) { $0.load(.refresh) }
    state.on(input.retry) { $0.load(.retry) }
    state.on(input.viewport) { state, rows throws(Refusal) in
      let (rows, revision) = (try rows.range(in: state.list.shown), rows.revision)
      state.change { $0.setViewport(rows, at: revision) }
      if let trigger = state.list.loadTrigger(forVisibleRows: rows, prefetch: settings.options.prefetch) {
        state.load(trigger)
      }
    }
    if let showArrivals = input.showArrivals.value {
      state.on(showArrivals) { state in if state.list.showArrivals() { state.arrivalsShown += 1 } }
    }
    if let jump = input.jump.value {
      state.on(jump) { state, jump throws(Refusal) in try state.jump(jump) }
    }
    if let change = input.change.value {
      state.on(change) { state, change throws(Refusal) in
        if let json = change.item { state.list.update(try item(json)) }
        if let set = change.set { try state.list.changeMarked(try members(set)) }
      }
    }
    if let insert = input.insert.value {
      state.on(insert) { state, insertion throws(Refusal) in
        let item = try item(insertion.item)
        if let next = insertion.before { try state.list.listed(next, as: "before") }
        state.list.insert(item, before: insertion.before)
      }
    }
    if let remove = input.remove.value {
      state.on(remove) { state, removal throws(Refusal) in
        if settings.options.confirmRemoval == nil { try state.list.remove(removal) } else { try state.ask(of: removal) }
      }
    }
    if let mark = input.mark.value { state.on(mark) { state, marking throws(Refusal) in try state.list.mark(marking) } }
    if let unmark = input.unmark.value {
      state.on(unmark) { state, marking throws(Refusal) in try state.list.unmark(marking) }
    }
    if let undo = input.undo.value { state.on(undo) { $0.list.undo() } }
    if let queries = settings.queries { state.on(queries) { $0.search($1.string, ifLoaded: true) } }
    if let filter = input.filter.value {
      state.on(filter) { state, change throws(Refusal) in
        try state.filter { filters throws(Refusal) in try filters.set(change) }
      }
    }
    for (position, setting) in settings.filters.enumerated() {
      if let values = setting.values {
        state.on(values) { state, value in state.filter { $0.setFirst(position, value) } }
      }
    }
    state.react(to: \.list, by: source)
    state.react(to: \.question, by: input.present) { _ in .confirm(settings.options.confirmRemoval ?? "") }
    // An item that has disappeared in the meantime isn't removed.
    state.on(finished: \.question) { state, _ in if let asked = state.asked { try? state.list.remove(asked) } }
    state.on(\.typing, after: debounce, isAwaited: true) { $0.search($0.text) }
    return state
  }

  /// Creates the outputs from the state.
  func output(of state: Feedback<State>, _ input: Input, scrollToTop: Signal<Void>? = nil) -> Output {
    let showing = Port<Showing>()
    if settings.margin != nil { state.on(showing) { $0.list.show($1.row, for: $1.pager) } }
    let pagers = { (id: ItemID, settings: PagerSettings) -> Pager? in
      var settings = self.settings.pager(settings, source)
      settings.showing = self.settings.margin.map { _ in showing }
      if settings.item == nil, !state.state.list.items.contains(id) { return nil }
      return Pager(state.list, failure: state.failure, from: id, loadMore: input.loadMore, settings)
    }
    return Output(
      items: state.list.shown, loading: state.list.isLoading, error: state.failure,
      state: state.list.map(LoadState.init),
      filters: WhenConfigured(settings.filters.isEmpty ? nil : state.filters),
      sections: WhenConfigured(settings.options.sections.map { state.list.sections(by: $0) }),
      marks: WhenConfigured(settings.options.hasMarks ? state.list.marks : nil),
      pending: WhenConfigured(settings.options.reportsPending ? state.list.pending : nil),
      undoable: WhenConfigured(input.undo.value == nil ? nil : state.list.undoable),
      navigate: state.signal(on: input.select) { state, id throws(Refusal) in
        try state.list.listed(id).itemID
      }.compactMap { id in
        settings.detail.flatMap { detail in
          var whole = PagerSettings()
          whole.isWhole = settings.isDetailWhole
          return pagers(id, whole).map { Navigation(to: detail, $0) }
        }
      },
      arrivals: WhenConfigured(
        settings.options.onArrival == .show ? nil : state.list.map { Arrivals(count: $0.arrivals) }),
      scrollToTop: WhenConfigured(scrollToTop),
      scrollTo: WhenConfigured(settings.margin == nil ? nil : state.scroll),
      pagers: OffTheWire(pagers))
  }

  /// Reads an item that the client sent.
  private func item(_ json: RawJSON) throws(Refusal) -> ItemList.Item {
    if let item = ItemList.Item(json, id: settings.id) { return item }
    throw Refusal("item", mustBe: "an object with its id at \"\(settings.id)\", a string or a number", not: json)
  }

  /// Reads the new fields of the marked items.
  private func members(_ json: RawJSON) throws(Refusal) -> RawJSON {
    if json.kind == .object, json.member(settings.id) == nil { return RawJSON(copying: json) }
    throw Refusal("set", mustBe: "an object without \"\(settings.id)\", because items keep their ids", not: json)
  }
}

extension List.State {
  /// Begins the load for a trigger.
  mutating func load(_ trigger: LoadTrigger) { change { $0.load(trigger) } }

  /// Changes the query.
  mutating func search(_ text: String, ifLoaded: Bool = false) {
    change { $0.search(text, ifLoaded: ifLoaded, isNamed: true) }
  }

  /// Changes the filters. Before the first load this only sets the filters of the first page.
  mutating func filter<Refused: Error>(_ change: (inout FilterValues) throws(Refused) -> Void) throws(Refused) {
    try change(&filters)
    let asked = filters.asked
    self.change { $0.filter(asked, ifLoaded: true, isNamed: true) }
  }

  /// Changes the list. If a load begins, a failed confirmation is cleared, too, because a new load clears all failures.
  fileprivate mutating func change(_ load: (inout Paged<RawJSON>) -> Void) {
    let revision = list.revision
    load(&list)
    if list.revision != revision, question.failure != nil { question.reset() }
  }

  /// Scrolls to a row or to an item.
  fileprivate mutating func jump(_ jump: Jump) throws(Refusal) {
    var isThere = false
    switch (jump.index, jump.id) {
    case (let index?, nil):
      change { isThere = $0.jump(to: index) }
      if !isThere { throw Refusal("index", mustBe: "the position of one of the list's \(list.count) rows", not: jump) }
    case (nil, let id?):
      change { isThere = $0.jump(to: id) }
      if !isThere {
        throw Refusal(
          "id", mustBe: "the id of a loaded row; other rows need a source with \"around\": true", not: jump)
      }
    default: throw Refusal("index", mustBe: "the position to move to, or an \"id\" in its place", not: jump)
    }
  }

  /// Asks the user to confirm a removal, unless a confirmation is already open.
  fileprivate mutating func ask(of removal: RemoveParameters) throws(Refusal) {
    var list = list
    try list.remove(removal)
    if question.isRunning || list.count == self.list.count { return }
    asked = removal
    question.start()
  }
}
