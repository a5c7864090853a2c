public import Flow
public import ItemList

/// The rows of a list that a client receives: all rows, or a window of them.
///
/// A client with a window also receives the window's position, and a placeholder for each row that isn't loaded.
public struct ListSnapshot {
  /// The whole list, including rows outside of the window.
  public let list: SparseList
  /// The positions of the rows that the client receives; nil for all rows.
  public let window: Range<Int>?
  /// Whether the number of rows is known exactly.
  public let isExact: Bool
  /// The number of this version of a window. It grows with each version.
  public let revision: Int

  /// Creates a snapshot of a whole list.
  public init(_ rows: ItemList = ItemList()) {
    (list, window, isExact, revision) = (SparseList(rows), nil, true, 0)
  }

  /// Creates a snapshot of a window.
  ///
  /// - Parameters:
  ///   - window: the positions of the rows that the client receives.
  ///   - list: the whole list.
  ///   - isExact: whether the number of rows is known exactly.
  ///   - revision: the number of this version; later versions have higher numbers.
  public init(_ window: Range<Int>, of list: SparseList, isExact: Bool, revision: Int = 0) {
    (self.list, self.window, self.isExact, self.revision) = (list, window, isExact, revision)
  }

  /// The loaded rows of the whole list.
  public var rows: ItemList { list.rows }

  /// How many rows the client receives.
  public var count: Int { window?.count ?? list.count }

  /// Passes the JSON of some rows to a closure, in as few pieces as possible. A row that isn't loaded is `null`. In a
  /// JSON array, the pieces must be separated by commas.
  ///
  /// - Parameters:
  ///   - range: which rows, counted from the first row that the client receives.
  ///   - body: receives each piece.
  public func forEachRun(in range: Range<Int>, _ body: (Span<UInt8>) -> Void) {
    guard let start = window?.lowerBound else { return rows.forEachRun(in: range, body) }
    for run in list.runs(in: start + range.lowerBound..<start + range.upperBound) {
      switch run {
      case .rows(let range): rows.forEachRun(in: range, body)
      case .unloaded(let count):
        let placeholder: [UInt8] = Array("null".utf8)
        for _ in 0..<count { body(placeholder.span) }
      }
    }
  }

  /// The splices that turn the rows of one snapshot into those of another. They apply in order, each to the result of
  /// the splice before it.
  ///
  /// A row counts as unchanged if its bytes are equal. All unloaded rows are equal.
  ///
  /// - Parameters:
  ///   - old: the snapshot to start from.
  ///   - new: the snapshot to arrive at.
  /// - Returns: the splices.
  public static func splices(from old: ListSnapshot, to new: ListSnapshot) -> [ItemList.Splice] {
    let changes = ItemList.splices(from: old.rows, to: new.rows)
    guard let oldWindow = old.window, let newWindow = new.window else { return changes }
    let places = Places(changes)
    let (before, after) = (
      old.list.held(in: oldWindow).map { $0.flatMap { places.new($0) } }, new.list.held(in: newWindow)
    )
    return differences(before, after)
  }

  /// The splices that turn one sequence of rows into another. Rows are represented by their indices in the new list.
  /// Nil is an unloaded row, and a negative number is a removed row. Rows in both sequences must be in the same order.
  private static func differences(_ old: [Int?], _ new: [Int?]) -> [ItemList.Splice] {
    var splices: [ItemList.Splice] = []
    let kept = Set(old.lazy.compactMap { $0 }).intersection(new.lazy.compactMap { $0 })
    var (oldStart, newStart) = (0, 0)
    func isKept(_ place: Int?) -> Bool { place.map(kept.contains) ?? false }
    while oldStart < old.count || newStart < new.count {
      let oldEnd = old[oldStart...].firstIndex(where: isKept) ?? old.count
      let newEnd = new[newStart...].firstIndex(where: isKept) ?? new.count
      let (gone, come) = (old[oldStart..<oldEnd], new[newStart..<newEnd])
      let same = zip(gone, come).prefix { $0 == nil && $1 == nil }.count
      let rest = (gone.count - same, come.count - same)
      let sameEnd = zip(gone.suffix(rest.0).reversed(), come.suffix(rest.1).reversed()).prefix {
        $0 == nil && $1 == nil
      }.count
      if rest != (sameEnd, sameEnd) {
        let start = newStart + same
        splices.append(
          ItemList.Splice(start: start, deleteCount: rest.0 - sameEnd, items: start..<newEnd - sameEnd))
      }
      (oldStart, newStart) = (oldEnd + 1, newEnd + 1)
    }
    return splices
  }

  /// Converts indices of rows from one version to a later one.
  private struct Places {
    /// Each part begins at an index of the old version. Its rows are removed, or have moved by `distance`.
    private var parts: [(start: Int, distance: Int, isGone: Bool)] = [(0, 0, false)]

    init(_ splices: [ItemList.Splice]) {
      var distance = 0
      for splice in splices {
        parts.append((splice.start - distance, 0, true))
        distance += splice.items.count - splice.deleteCount
        parts.append((splice.items.upperBound - distance, distance, false))
      }
    }

    /// The index of a row in the later version; negative if the row was removed.
    func new(_ row: Int) -> Int {
      var range = parts.indices
      while range.count > 1 {
        let middle = range.lowerBound + range.count / 2
        range = parts[middle].start <= row ? middle..<range.upperBound : range.lowerBound..<middle
      }
      let part = parts[range.lowerBound]
      return part.isGone ? -1 - row : row + part.distance
    }
  }
}

extension SparseList {
  /// For each position, the row's index among the loaded rows; nil if it isn't loaded.
  fileprivate func held(in range: Range<Int>) -> [Int?] {
    runs(in: range).flatMap { run -> [Int?] in
      switch run {
      case .rows(let rows): rows.map { $0 }
      case .unloaded(let count): Array(repeating: nil, count: count)
      }
    }
  }
}

extension ListSnapshot: Versioned {
  /// Whether two snapshots are the same version.
  public func isSameVersion(as other: ListSnapshot) -> Bool {
    (window, isExact) == (other.window, other.isExact) && list.isIdentical(to: other.list)
  }

  /// Whether a client receives the same rows from two snapshots. The time depends on the number of changes between
  /// them.
  public static func == (left: ListSnapshot, right: ListSnapshot) -> Bool {
    left.isSameVersion(as: right) || left.hasSamePlace(as: right) && splices(from: left, to: right).isEmpty
  }

  /// Whether two windows begin at the same position of lists of the same length.
  public func hasSamePlace(as other: ListSnapshot) -> Bool {
    window == nil
      || (window?.lowerBound, list.count, isExact) == (other.window?.lowerBound, other.list.count, other.isExact)
  }
}

extension ListSnapshot: Encodable {
  /// Writes the rows that the client receives, in their order, and null for each unloaded row.
  public func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    for run in list.runs(in: window ?? 0..<list.count) {
      switch run {
      case .rows(let range): for item in rows.items(in: range) { try array.encode(item.json) }
      case .unloaded(let count): for _ in 0..<count { try array.encodeNil() }
      }
    }
  }
}
