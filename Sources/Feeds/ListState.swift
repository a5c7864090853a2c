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
  public struct Load {
    /// What made it begin.
    public let trigger: Trigger
    /// Which page; nil for the first, which takes the place of whatever is listed.
    public let key: RawJSON?
  }

  /// What happens to a list.
  public enum Step {
    /// A load has begun; one that was running is dropped.
    case began(Load)
    /// The running load's page has come.
    case loaded(Page)
    /// The running load has failed.
    case failed(LoadFailure)
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
  private var running: Load?
  private var failed: Load?
  private var nextKey: RawJSON?
  private let onRefresh: OnRefresh

  /// An empty list of which nothing was asked.
  public init(onRefresh: OnRefresh = .clear) { self.onRefresh = onRefresh }

  /// Whether an answer is awaited.
  public var isLoading: Bool { running != nil }

  /// Whether the source has a page after what is listed.
  public var hasMore: Bool { nextKey != nil }

  /// The load that a trigger begins now; nil if there is nothing to do.
  public func load(for trigger: Trigger) -> Load? {
    switch trigger {
    case .refresh: return Load(trigger: trigger, key: nil)
    case .appear: return phase == .nothing ? Load(trigger: trigger, key: nil) : nil
    case .retry: return isLoading ? nil : failed.map { Load(trigger: trigger, key: $0.key) }
    case .reachBottom, .loadMore:
      if isLoading { return nil }
      return (failed.map(\.key) ?? nextKey.map(Optional.some)).map { Load(trigger: trigger, key: $0) }
    }
  }

  /// Folds one event into the state.
  public static func apply(_ state: inout ListState, _ step: Step) {
    switch step {
    case .began(let load): state.begin(load)
    case .loaded(let page): state.finish(page)
    case .failed(let failure): state.fail(failure)
    case .changed(let item): state.items.replace(item)
    }
  }

  private mutating func begin(_ load: Load) {
    running = load
    failed = nil
    failure = nil
    trigger = load.trigger
    phase = .requesting
    if load.key == nil, onRefresh == .clear {
      items.removeAll()
      nextKey = nil
    }
  }

  private mutating func finish(_ page: Page) {
    guard let load = running else { return }
    running = nil
    if load.key == nil { items.removeAll() }
    let repeated = items.append(page.items).repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
    // A page without items is the bottom, whatever it says of a next one.
    nextKey = page.items.slices.isEmpty && page.faults.isEmpty ? nil : page.next
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    failure = Failure(page.faults + repeated, trigger: load.trigger)
  }

  private mutating func fail(_ reason: LoadFailure) {
    guard let load = running else { return }
    running = nil
    failed = load
    phase = .failed
    failure = Failure(reason, trigger: load.trigger)
  }
}

extension RawItems {
  fileprivate func idText(at position: Int) -> String {
    let slice = slices[position]
    return String(decoding: bytes[Int(slice.idStart)..<Int(slice.idStart + slice.idLength)], as: UTF8.self)
  }
}
