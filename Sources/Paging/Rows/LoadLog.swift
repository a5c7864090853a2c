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

  /// Whether so much has happened that the log must begin again.
  var isTooLong: Bool { cost > limit }

  mutating func begin(_ rows: SourceRows, after entries: [LogEntry] = []) {
    (checkpoint, self.entries, cost) = (rows, entries, 0)
  }

  mutating func end() {
    if checkpoint == nil { return }
    (checkpoint, entries, cost) = (nil, [], 0)
  }

  /// Drops the entries. Later ones can't tell which changes the awaited page knows.
  mutating func forgetEntries() { entries = [] }

  mutating func record(_ entry: LogEntry) {
    if checkpoint == nil { return }
    entries.append(entry)
    cost += entry.cost
  }

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
  /// The deferred rows were listed.
  case arrivalsShown
  /// The number of rows, read or not.
  case count(Int, isExact: Bool)

  /// Roughly how many bytes it takes.
  var cost: Int {
    switch self {
    case .change(let change, _): change.cost
    case .state(let state): RowChange.ownCost + state.utf8.count
    case .edit(_, let item, _): RowChange.ownCost + (item?.bytes.count ?? 0)
    case .page, .reset, .gap, .count, .arrivalsShown: RowChange.ownCost
    }
  }

  var isAnchored: Bool { if case .change(let change, _) = self { change.isAnchored } else { false } }

  /// Whether it places an item: carried out on a page that knows it, it would do so again.
  var isPlaced: Bool {
    if case .change(let change, _) = self { change.isAnchored || change.position != nil } else { false }
  }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isReset: Bool { if case .reset = self { true } else { false } }

  var isGap: Bool { if case .gap = self { true } else { false } }

  func isState(_ state: String) -> Bool { if case .state(state) = self { true } else { false } }
}
