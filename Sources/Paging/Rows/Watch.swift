internal import Flow
internal import ItemList
internal import WireJSON

/// The request that a source report its changes.
struct Watch {
  /// How often it was made; a ``UniqueNumber``, 0 before the first time.
  private(set) var number = 0
  /// The state from which on changes are reported; nil if none is held.
  private(set) var since: String?
  /// Whether the source confirmed it.
  private(set) var isConfirmed = false
  /// Whether the source refused it. It isn't made again before a first page is loaded.
  private(set) var isRefused = false
  /// Whether the last one failed, and is made again.
  var isFailing = false
  /// Whether the last one of a source without states ended: what has happened since isn't known.
  var isInterrupted = false

  mutating func ask(since state: String?) {
    (number, since) = (UniqueNumber.next(), state)
    (isConfirmed, isRefused) = (false, false)
  }

  /// Makes it again, because the source stopped reporting.
  mutating func retry(since state: String?) {
    isInterrupted = state == nil
    ask(since: state)
  }

  mutating func confirm() { isConfirmed = true }

  mutating func end() { isConfirmed = false }

  mutating func refuse() { isRefused = true }
}

/// Reported changes that wait for the end of a pause.
struct ChangeQueue {
  /// The shortest time between two steps in which reported changes are listed.
  var pace = Pause()
  /// The shortest time between two reloads of an invalidated list: some sources always have a reason for one.
  var rest = Pause()
  private var changes: [SourceChanges<RawJSON>] = []
  private var cost = 0

  var isEmpty: Bool { changes.isEmpty }

  /// Adds changes. If these take more than some bytes, one change of everything stands for all of them.
  mutating func append(_ new: SourceChanges<RawJSON>, limit: Int) {
    changes.append(new)
    cost += new.cost
    guard cost > limit else { return }
    let total = changes.last { $0.total != nil }?.total
    (changes, cost) = ([.everything(since: changes[0].since, state: new.state, total: total)], 0)
  }

  mutating func removeAll() -> [SourceChanges<RawJSON>] {
    defer { (changes, cost) = ([], 0) }
    return changes
  }
}
