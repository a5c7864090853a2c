internal import ItemList

/// What happens to the rows while a load runs, so that it can be applied again to the page that arrives.
///
/// - There are entries only while there is a checkpoint.
struct LoadLog {
  /// The rows when the load began; nil if no load runs.
  private(set) var checkpoint: SourceRows?
  private(set) var entries: [LogEntry] = []
  private var cost = 0
  /// The most bytes of entries. If there are more, for example because a page never arrives, the list reloads instead.
  var limit = 16 << 20

  /// Whether the entries exceed ``limit``, so that the log must start again.
  var isTooLong: Bool { cost > limit }

  mutating func begin(_ rows: SourceRows, after entries: [LogEntry] = []) {
    (checkpoint, self.entries, cost) = (rows, entries, 0)
  }

  mutating func end() {
    if checkpoint == nil { return }
    (checkpoint, entries, cost) = (nil, [], 0)
  }

  /// Drops the entries, because they no longer show which changes the requested page contains.
  mutating func forgetEntries() { entries = [] }

  mutating func record(_ entry: LogEntry) {
    if checkpoint == nil { return }
    entries.append(entry)
    cost += entry.cost
  }

}

/// One event in the life of the rows.
enum LogEntry {
  case change(RowChange, isHolding: Bool)
  case edit(ListEdit, ItemList.Item?, isLast: Bool)
  /// The rows reached the state of a page that came before the reports did, and the page was merged.
  case page(LoadedPage, atEnd: Bool)
  /// The source reported that too much changed to list the changes.
  case reset
  /// Changes were missed between two states.
  case gap
  /// The rows reached a state.
  case state(String)
  /// The deferred rows were listed.
  case arrivalsShown
  /// The number of rows, loaded or not.
  case count(Int, isExact: Bool)

  /// The approximate number of bytes in memory.
  var cost: Int {
    switch self {
    case .change(let change, _): change.cost
    case .state(let state): RowChange.ownCost + state.utf8.count
    case .edit(_, let item, _): RowChange.ownCost + (item?.bytes.count ?? 0)
    case .page, .reset, .gap, .count, .arrivalsShown: RowChange.ownCost
    }
  }

  var isAnchored: Bool { if case .change(let change, _) = self { change.isAnchored } else { false } }

  /// Whether it names a position for an item. Applied to a page that contains the change already, it would place the
  /// item twice.
  var isPlaced: Bool {
    if case .change(let change, _) = self { change.isAnchored || change.position != nil } else { false }
  }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isReset: Bool { if case .reset = self { true } else { false } }

  var isGap: Bool { if case .gap = self { true } else { false } }

  func isState(_ state: String) -> Bool { if case .state(state) = self { true } else { false } }
}
