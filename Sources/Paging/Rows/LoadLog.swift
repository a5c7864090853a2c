internal import ItemList

/// What happens to rows while a load runs, so that it can be repeated on the page that comes.
///
/// Entries are kept only while there is a checkpoint.
struct LoadLog {
  /// The rows as they were when the load began.
  private(set) var checkpoint: SourceRows?
  private(set) var entries: [LogEntry] = []
  private var cost = 0
  /// How many bytes of entries are kept at most. If there are more, as when a page never comes, the list reloads instead.
  var limit = 16 << 20

  mutating func begin(_ rows: SourceRows) { (checkpoint, entries, cost) = (rows, [], 0) }

  mutating func end() { (checkpoint, entries) = (nil, []) }

  /// Drops the entries. Later ones can't tell which changes the awaited page knows.
  mutating func forgetEntries() { entries = [] }

  /// Records an entry. Returns false if that was too much: the log begins again from rows, with a gap.
  mutating func record(_ entry: LogEntry, _ rows: SourceRows) -> Bool {
    guard checkpoint != nil else { return true }
    entries.append(entry)
    cost += entry.cost
    guard cost > limit else { return true }
    (checkpoint, entries, cost) = (rows, [.reset, .gap], 0)
    return false
  }

  mutating func showArrivals() { checkpoint?.showArrivals() }
}

/// Something that happens to rows.
enum LogEntry {
  case change(RowChange, isHolding: Bool)
  case edit(ListEdit, ItemList.Item?, isLast: Bool)
  /// The rows reached the state of a page that was ahead of them.
  case page(LoadedPage, atEnd: Bool)
  /// So much that the source doesn't say what.
  case reset
  /// Changes were missed between two states.
  case gap
  /// The rows reached a state.
  case state(String)
  /// The number of rows, read or not.
  case count(Int, isExact: Bool)

  /// Roughly how many bytes it takes.
  var cost: Int { if case .change(let change, _) = self { change.cost } else { RowChange.ownCost } }

  var isAnchored: Bool { if case .change(let change, _) = self { change.isAnchored } else { false } }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isReset: Bool { if case .reset = self { true } else { false } }

  var isGap: Bool { if case .gap = self { true } else { false } }

  func isState(_ state: String) -> Bool { if case .state(state) = self { true } else { false } }
}
