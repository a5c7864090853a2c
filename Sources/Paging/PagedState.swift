internal import Flow
internal import ItemList
internal import WireJSON

/// All that a ``Paged`` knows of its list, whatever the type of the items, and how pages and edits change it.
struct PagedState {
  /// Where a page belongs.
  enum Place {
    /// In the place of whatever is listed.
    case first
    /// After it, under a key that the page before has named.
    case after(RawJSON)
    /// Before it, under a key that the page after has named.
    case before(RawJSON)
  }

  /// A load of one page.
  struct Load {
    /// Which of the list's loads it is, counted from 1.
    let number: Int
    let place: Place
    let criteria: Criteria
  }

  let pageSize: Int
  /// Which of the source's items are listed, or are to be.
  private(set) var criteria: Criteria
  private(set) var trigger = LoadTrigger.appear
  /// Whether the newest load's failure is named by its trigger.
  private var isNamed = false
  private(set) var phase = LoadPhase.nothing
  private(set) var running: Load?
  /// The failure that stands, of a load or of an edit.
  private(set) var failure: Failure?
  private(set) var answeredQueries = 0
  /// How many items were removed.
  private(set) var removals = 0
  /// Grows with each load that begins or ends, and each failure.
  private(set) var revision = 0
  private var edited = EditedItems()
  /// The edits that the source has taken since the running load's page was asked for, which doesn't know of them: they
  /// count once it is over.
  private var taken = NumberMap<ListEdit>()
  /// Whether a search's first page is awaited.
  private var isSearching = false
  private var failed: Load?
  private var nextKey: RawJSON?
  private var previousKey: RawJSON?
  private var loads = 0
  private let onRefresh: OnRefresh

  init(pageSize: Int, _ criteria: Criteria, onRefresh: OnRefresh) {
    self.pageSize = pageSize
    self.criteria = criteria
    self.onRefresh = onRefresh
  }

  var items: ItemList { edited.items }
  var hasMore: Bool { nextKey != nil }
  var isWithoutResult: Bool { items.isEmpty && (phase == .requestFinished || phase == .reachedBottom) }

  // MARK: - Loads

  /// Begins the load that a trigger asks for now, if any.
  ///
  /// - Parameters:
  ///   - trigger: what asks.
  ///   - isNamed: whether the load's failure is named by that.
  mutating func load(_ trigger: LoadTrigger, isNamed: Bool) {
    if let place = place(for: trigger) { begin(trigger, place, isNamed) }
  }

  /// Lists others of the source's items.
  mutating func ask(for criteria: Criteria, _ trigger: LoadTrigger, ifLoaded: Bool, isNamed: Bool) {
    guard criteria != self.criteria else { return }
    self.criteria = criteria
    if !ifLoaded || phase != .nothing { begin(trigger, .first, isNamed) }
  }

  func loadTrigger(forVisibleRows rows: Range<Int>, prefetch: Int) -> LoadTrigger? {
    guard running == nil, failed == nil else { return nil }
    if nextKey != nil, min(rows.upperBound, items.count) >= items.count - prefetch { return .loadMore }
    return previousKey != nil && rows.lowerBound <= prefetch ? .reachTop : nil
  }

  private func place(for trigger: LoadTrigger) -> Place? {
    switch trigger {
    case .appear: phase == .nothing ? .first : nil
    case .refresh, .search, .filter: .first
    case .retry: running == nil ? failed?.place : nil
    case .reachBottom, .loadMore: further(nextKey.map(Place.after))
    case .reachTop: further(previousKey.map(Place.before))
    }
  }

  /// A page at an end; the first where that has failed, and none while a load runs.
  private func further(_ place: Place?) -> Place? {
    guard running == nil else { return nil }
    return failed?.place.isFirst == true ? .first : place
  }

  private mutating func begin(_ trigger: LoadTrigger, _ place: Place, _ isNamed: Bool) {
    end()
    loads += 1
    isSearching = isSearching || trigger == .search
    running = Load(number: loads, place: place, criteria: criteria)
    failed = nil
    failure = nil
    self.trigger = trigger
    self.isNamed = isNamed
    phase = .requesting
    guard place.isFirst, onRefresh == .clear else { return }
    edited.clear()
    nextKey = nil
    previousKey = nil
  }

  /// The running load is over, if there is one.
  private mutating func end() {
    revision += 1
    running = nil
    settleTaken()
  }

  /// Pages that come from now on know of the edits that the source has taken.
  mutating func settleTaken() {
    while let (number, edit) = taken.first {
      taken[number] = nil
      edited.settle(edit)
    }
  }

  /// Takes the running load's page.
  ///
  /// - Returns: what was wrong with some of its records.
  mutating func take(_ page: RawItems, next: RawJSON?, previous: RawJSON?, failures: [LoadFailure]) -> [LoadFailure] {
    guard let load = running else { return [] }
    // A page without items is the last, whatever it says of a next one.
    let isEmpty = page.isEmpty && failures.isEmpty
    let repeated: [Int]
    switch load.place {
    case .first:
      repeated = edited.start(with: page, of: load.criteria)
      (nextKey, previousKey) = (isEmpty ? nil : next, previous)
      if isSearching { answeredQueries += 1 }
      isSearching = false
    case .after:
      repeated = edited.add(page, atEnd: true)
      nextKey = isEmpty ? nil : next
    case .before:
      repeated = edited.add(page, atEnd: false)
      previousKey = isEmpty ? nil : previous
    }
    end()
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    return failures + repeated.map { LoadFailure(repeated: page.idText(at: $0)) }
  }

  /// The newest load, or some of its page's records, has failed. A load that was given up has no failure.
  mutating func fail(_ failure: Failure?) {
    if let load = running {
      end()
      failed = load
      phase = .failed
    } else {
      revision += 1
    }
    self.failure = failure
    if isNamed { self.failure?.trigger = trigger.rawValue }
  }

  // MARK: - Edits

  mutating func insert(_ item: ItemList.Item, before next: ItemID?) -> ListEdit? {
    edited.insert(item, before: next, of: criteria)
  }

  mutating func remove(_ id: ItemID) -> ListEdit? {
    let edit = edited.remove(id)
    if edit != nil { removals += 1 }
    return edit
  }

  mutating func update(_ item: ItemList.Item) -> ListEdit? { edited.update(item) }

  mutating func replace(_ item: ItemList.Item) { edited.replace(item) }

  mutating func append(_ items: RawItems) { _ = edited.add(items, atEnd: true) }

  mutating func settle(_ edit: ListEdit) {
    if running != nil { taken[UInt(edit.number)] = edit } else { edited.settle(edit) }
  }

  mutating func refuse(_ edit: ListEdit, _ failure: Failure?) {
    edited.refuse(edit)
    guard let failure else { return }
    self.failure = failure
    revision += 1
  }
}

extension PagedState.Place {
  /// Whether it is the first page.
  var isFirst: Bool { key == nil }

  /// The key under which the source has it.
  var key: RawJSON? {
    switch self {
    case .first: nil
    case .after(let key), .before(let key): key
    }
  }
}

extension RawItems {
  /// The id of an item as it is written.
  fileprivate func idText(at position: Int) -> String {
    String(decoding: bytes[slices[position].idRange], as: UTF8.self)
  }
}

extension LoadFailure {
  /// Two items of one page had the same id.
  fileprivate init(repeated id: String) {
    self.init(.badRecord, "the id \(id) is twice on one page; the later item is listed; give each an id of its own")
  }
}
