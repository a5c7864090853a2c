public import Nagare

/// All that a list knows, and how each event changes it. Every output is a projection of it.
public struct ListState {
  /// What becomes of the items when a refresh begins.
  public enum OnRefresh: String, JSONStringEnum, Sendable {
    /// They go at once.
    case clear
    /// They stay until the answer has come.
    case keep
  }

  /// What made a load begin.
  public enum Trigger: String, JSONStringEnum, Sendable {
    /// The view came into sight for the first time.
    case appear
    /// The end of the list came into sight.
    case reachBottom
    /// More was asked for from another place, such as a pager.
    case loadMore
    /// The list is to be loaded afresh.
    case refresh
    /// A failed load is to be tried again.
    case retry
  }

  /// How far the newest load has come.
  public enum Phase: String, JSONStringEnum, Sendable {
    /// No load has begun.
    case nothing
    /// An answer is awaited.
    case requesting
    /// A page has come, and there is another.
    case requestFinished
    /// A page has come, and it was the last.
    case reachedBottom
    /// No page has come.
    case failed
  }

  /// A load of one page.
  public struct Load: Equatable, Sendable {
    /// Which of the list's loads it is, counted from 1: an answer to any but the newest comes too late.
    public let number: Int
    /// What made it begin.
    public let trigger: Trigger
    /// Which page; nil for the first, which takes the place of whatever is listed.
    public let key: RawJSON?

    /// Whether two are the same load.
    public static func == (left: Load, right: Load) -> Bool { left.number == right.number }
  }

  /// What happens to a list.
  public enum Step {
    /// A load is asked for; whether one begins is the state's to say.
    case asked(Trigger)
    /// A load's page has come.
    case loaded(Page, by: Load)
    /// A load has failed.
    case failed(LoadFailure, of: Load)
    /// An item is to take the place of the listed one with its id.
    case changed(ItemList.Item)
  }

  /// The items, in order, each id once.
  public private(set) var items = ItemList()
  /// The failure that still stands.
  public private(set) var failure: Failure?
  /// What made the newest load begin.
  public private(set) var trigger = Trigger.appear
  /// How far the newest load has come.
  public private(set) var phase = Phase.nothing
  /// The load whose answer is awaited.
  public private(set) var running: Load?
  private var failed: Load?
  private var nextKey: RawJSON?
  private var loads = 0
  private let onRefresh: OnRefresh

  /// An empty list of which nothing was asked.
  public init(onRefresh: OnRefresh = .clear) { self.onRefresh = onRefresh }

  /// Whether an answer is awaited.
  @inlinable public var isLoading: Bool { running != nil }

  /// Whether the source has a page after what is listed.
  public var hasMore: Bool { nextKey != nil }

  /// Folds one event into the state.
  public static func apply(_ state: inout ListState, _ step: Step) {
    switch step {
    case .asked(let trigger): state.ask(trigger)
    case .loaded(let page, let load) where load == state.running: state.finish(load, page)
    case .failed(let reason, let load) where load == state.running: state.fail(load, reason)
    case .loaded, .failed: break  // the answer to a load that was dropped
    case .changed(let item): state.items.replace(item)
    }
  }

  private mutating func ask(_ trigger: Trigger) {
    switch trigger {
    case .appear: if phase == .nothing { begin(trigger, nil) }
    case .refresh: begin(trigger, nil)
    case .retry, .reachBottom, .loadMore:
      if isLoading { return }
      if let failed {
        begin(trigger, failed.key)
      } else if let nextKey, trigger != .retry {
        begin(trigger, nextKey)
      }
    }
  }

  private mutating func begin(_ trigger: Trigger, _ key: RawJSON?) {
    loads += 1
    running = Load(number: loads, trigger: trigger, key: key)
    failed = nil
    failure = nil
    self.trigger = trigger
    phase = .requesting
    if key == nil, onRefresh == .clear {
      items.removeAll()
      nextKey = nil
    }
  }

  private mutating func finish(_ load: Load, _ page: Page) {
    running = nil
    if load.key == nil { items.removeAll() }
    let repeated = items.append(page.items).repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
    // A page without items is the bottom, whatever it says of a next one.
    nextKey = page.items.isEmpty && page.faults.isEmpty ? nil : page.next
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    failure = Failure(page.faults + repeated, trigger: load.trigger)
  }

  private mutating func fail(_ load: Load, _ reason: LoadFailure) {
    running = nil
    failed = load
    phase = .failed
    failure = Failure(reason, trigger: load.trigger)
  }
}

extension RawItems {
  fileprivate func idText(at position: Int) -> String {
    String(decoding: bytes[slices[position].idRange], as: UTF8.self)
  }
}
