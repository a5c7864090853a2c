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

  /// The items, in order, each id once.
  public private(set) var items = ItemList()
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
  private var edits = ListEdits()
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

  /// The failure that still stands.
  public var failure: Failure? { failures.standing }

  /// Whether an answer is awaited.
  @inlinable public var isLoading: Bool { running != nil }

  /// Whether the source has a page after what is listed.
  public var hasMore: Bool { nextKey != nil }

  /// Whether a page came, and nothing is listed.
  public var isWithoutResult: Bool { items.isEmpty && (phase == .requestFinished || phase == .reachedBottom) }

  /// The newest edit, which the source is to be told of.
  public var newestEdit: ListEdit? { edits.newest }

  /// Folds one event into the state.
  public static func apply(_ state: inout ListState, _ step: Step) {
    switch step {
    case .asked(let trigger): if let place = state.place(for: trigger) { state.begin(trigger, place) }
    case .queried(let text), .searched(let text): state.look(for: text, step)
    // The answer to a load that was dropped means nothing.
    case .loaded(let page, let load): if load.number == state.running?.number { state.finish(load, page) }
    case .failed(let reason, let load): if load.number == state.running?.number { state.fail(load, reason) }
    case .changed(let item): state.items.replace(item)
    case .inserted(let item, let next): state.edits.insert(item, before: next, into: &state.items)
    case .removed(let id): state.edits.remove(id, from: &state.items)
    case .settled(let edit):
      state.edits.settle(edit, loads: state.loads, isReplacing: state.running?.place.isFirst == true)
    case .refused(let reason, let edit):
      state.edits.undo(edit, in: &state.items)
      state.failures.add(Failure(reason, trigger: edit.isRemoval ? "remove" : "insert"))
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
    guard running == nil, failed == nil, !items.isEmpty else { return nil }
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
    loads += 1
    let isSearch = trigger == .search || trigger == .retry && failed?.isSearch == true
    running = Load(number: loads, trigger: trigger, place: place, query: query, isSearch: isSearch)
    failed = nil
    failures.end()
    self.trigger = trigger
    phase = .requesting
    guard place.isFirst, onRefresh == .clear else { return }
    items.removeAll()
    edits.forgetItems()
    nextKey = nil
    previousKey = nil
  }

  private mutating func finish(_ load: Load, _ page: Page) {
    running = nil
    // A page without items is the last, whatever it says of a next one.
    let isEmpty = page.items.isEmpty && page.faults.isEmpty
    let merged: ItemList.Merged
    switch load.place {
    case .first:
      items.removeAll()
      merged = items.append(page.items)
      (nextKey, previousKey) = (isEmpty ? nil : page.next, page.previous)
      if load.isSearch { searches += 1 }
    case .after:
      merged = items.append(page.items)
      nextKey = isEmpty ? nil : page.next
    case .before:
      merged = items.prepend(page.items)
      previousKey = isEmpty ? nil : page.previous
    }
    edits.reapply(over: page.items, of: load.number, isFirst: load.place.isFirst, to: &items)
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    let repeated = merged.repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
    // Without faults, what failed meanwhile beside the load still stands.
    if let failure = Failure(page.faults + repeated, trigger: load.trigger.rawValue) { failures.add(failure) }
  }

  private mutating func fail(_ load: Load, _ reason: LoadFailure) {
    running = nil
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
