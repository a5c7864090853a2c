internal import Flow
internal import ItemList
internal import WireJSON

/// The request to a source to report its changes.
struct Watch {
  /// The number of the newest request, a ``UniqueNumber``; 0 before the first one.
  private(set) var number = 0
  /// The state after which changes are requested; nil if none is known.
  private(set) var since: String?
  /// Whether the source confirmed the request.
  private(set) var isConfirmed = false
  /// Whether the source refused the request. Then it isn't made again until a first page loads.
  private(set) var isRefused = false
  /// Whether the last request failed and was made again.
  var isFailing = false
  /// Whether a watch without states ended, so that changes since then may be missing.
  var isInterrupted = false

  mutating func ask(since state: String?) {
    (number, since) = (UniqueNumber.next(), state)
    (isConfirmed, isRefused) = (false, false)
  }

  /// Requests the changes again, because the source stopped reporting.
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
  /// The shortest time between two reloads of an invalidated list. Without it, some sources would make the list reload
  /// endlessly.
  var rest = Pause()
  private var changes: [SourceChanges<RawJSON>] = []
  private var cost = 0

  var isEmpty: Bool { changes.isEmpty }

  /// Adds changes. If the queue exceeds `limit` bytes, all of it is replaced by the report that everything changed.
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
