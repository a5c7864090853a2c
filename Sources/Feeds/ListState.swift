public import Nagare

/// All that a list knows, and how each event changes it. Every output is a projection of it.
public struct ListState {
  /// What happens to a list.
  public enum Step {
    /// A load is asked for; whether one begins is the state's to say.
    case asked(Trigger)
    /// Something else is looked for, once the list has begun to load at all.
    case queried(String)
    /// Something else is looked for at once.
    case searched(String)
    /// A load's page has come.
    case loaded(Page, by: Load)
    /// A load has failed.
    case failed(LoadFailure, of: Load)
    /// An item is to take the place of the listed one with its id.
    case changed(ItemList.Item)
    /// An item is to be listed before another; first where that is nil.
    case inserted(ItemList.Item, before: ItemID?)
    /// An item is to go.
    case removed(ItemID)
    /// The source has taken an edit, or there is none to ask.
    case settled(ListEdit)
    /// The source has refused an edit.
    case refused(LoadFailure, ListEdit)
    /// Something that is no load has failed.
    case stumbled(Failure)
  }

  /// What made the newest load begin.
  public private(set) var trigger = Trigger.appear
  /// How far the newest load has come.
  public private(set) var phase = Phase.nothing
  /// The load whose answer is awaited.
  public private(set) var running: Load?
  /// What is looked for; empty for everything.
  public private(set) var query: String
  /// How many searches have got their first page.
  public private(set) var searches = 0
  private var failures = Failures()
  private var edited = EditedItems()
  /// The edits that the source has taken while a load runs, whose page doesn't know of them: they count once it is over.
  private var taken = NumberMap<ListEdit>()
  /// Whether a search's first page is awaited.
  private var isSearching = false
  private var failed: Load?
  private var nextKey: RawJSON?
  private var previousKey: RawJSON?
  private var loads = 0
  private let onRefresh: OnRefresh

  /// An empty list of which nothing was asked.
  public init(query: String = "", onRefresh: OnRefresh = .clear) {
    self.query = query
    self.onRefresh = onRefresh
  }

  /// The items, in order, each id once.
  public var items: ItemList { edited.items }
  /// The failure that still stands.
  public var failure: Failure? { failures.standing }

  /// Whether an answer is awaited.
  @inlinable public var isLoading: Bool { running != nil }

  /// Whether the source has a page after what is listed.
  public var hasMore: Bool { nextKey != nil }

  /// Whether a page came, and nothing is listed.
  public var isWithoutResult: Bool { items.isEmpty && (phase == .requestFinished || phase == .reachedBottom) }

  /// The newest edit, which the source is to be told of.
  public var newestEdit: ListEdit? { edited.newest }

  /// Folds one event into the state.
  public static func apply(_ state: inout ListState, _ step: Step) {
    switch step {
    case .asked(let trigger): if let place = state.place(for: trigger) { state.begin(trigger, place) }
    case .queried(let text), .searched(let text): state.look(for: text, step)
    // The answer to a load that was dropped means nothing.
    case .loaded(let page, let load): if load.number == state.running?.number { state.finish(load, page) }
    case .failed(let reason, let load): if load.number == state.running?.number { state.fail(load, reason) }
    case .changed(let item): state.edited.replace(item)
    case .inserted(let item, let next): state.edited.insert(item, before: next, query: state.query)
    case .removed(let id): state.edited.remove(id)
    case .settled(let edit): state.settle(edit)
    case .refused(let reason, let edit):
      state.edited.refuse(edit)
      state.failures.add(Failure(reason, trigger: edit.trigger))
    case .stumbled(let failure): state.failures.add(failure)
    }
  }

  /// Whether the rows that are in sight are a reason to ask for more.
  ///
  /// - Parameters:
  ///   - viewport: the rows.
  ///   - prefetch: how many rows before an end are near enough.
  /// - Returns: what to ask for, if there is more at that end, and nothing in its way.
  public func wish(in viewport: Viewport, prefetch: Int) -> Trigger? {
    guard running == nil, failed == nil else { return nil }
    if nextKey != nil, min(viewport.end, items.count) >= items.count - prefetch { return .loadMore }
    return previousKey != nil && viewport.start <= prefetch ? .reachTop : nil
  }

  /// The page that an input asks for now, if any.
  private func place(for trigger: Trigger) -> Place? {
    switch trigger {
    case .appear: phase == .nothing ? .first : nil
    case .refresh, .search: .first
    case .retry: isLoading ? nil : failed?.place
    case .reachBottom, .loadMore: isLoading ? nil : failed?.place.isFirst == true ? .first : nextKey.map(Place.after)
    case .reachTop: isLoading ? nil : failed?.place.isFirst == true ? .first : previousKey.map(Place.before)
    }
  }

  private mutating func look(for text: String, _ step: Step) {
    guard text != query else { return }
    query = text
    if case .queried = step, phase == .nothing { return }
    begin(.search, .first)
  }

  private mutating func begin(_ trigger: Trigger, _ place: Place) {
    end()
    loads += 1
    isSearching = isSearching || trigger == .search
    running = Load(number: loads, trigger: trigger, place: place, query: query)
    failed = nil
    failures.end()
    self.trigger = trigger
    phase = .requesting
    guard place.isFirst, onRefresh == .clear else { return }
    edited.clear()
    nextKey = nil
    previousKey = nil
  }

  /// The running load is over, if there is one: pages that come from now on know of the edits that the source has taken.
  private mutating func end() {
    running = nil
    while let (number, edit) = taken.first {
      taken[number] = nil
      edited.settle(edit)
    }
  }

  private mutating func settle(_ edit: ListEdit) {
    if isLoading { taken[UInt(edit.number)] = edit } else { edited.settle(edit) }
  }

  private mutating func finish(_ load: Load, _ page: Page) {
    // A page without items is the last, whatever it says of a next one.
    let isEmpty = page.items.isEmpty && page.failures.isEmpty
    let repeated: [Int]
    switch load.place {
    case .first:
      repeated = edited.start(with: page.items, query: load.query)
      (nextKey, previousKey) = (isEmpty ? nil : page.next, page.previous)
      if isSearching { searches += 1 }
      isSearching = false
    case .after:
      repeated = edited.add(page.items, atEnd: true)
      nextKey = isEmpty ? nil : page.next
    case .before:
      repeated = edited.add(page.items, atEnd: false)
      previousKey = isEmpty ? nil : page.previous
    }
    end()
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    let faults = page.failures + repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
    // Without faults, what failed meanwhile beside the load still stands.
    if let failure = Failure(faults, trigger: load.trigger.rawValue) { failures.add(failure) }
  }

  private mutating func fail(_ load: Load, _ reason: LoadFailure) {
    end()
    failed = load
    phase = .failed
    failures.add(Failure(reason, trigger: load.trigger.rawValue))
  }
}

extension RawItems {
  /// The id of an item as it is written.
  func idText(at position: Int) -> String {
    String(decoding: bytes[slices[position].idRange], as: UTF8.self)
  }
}
