public import Flow
public import ItemList

/// What a list says: its rows, all of them or a window of them.
///
/// A client that holds a window is told which part of the list it is, and of rows that aren't read a placeholder each.
public struct ListSnapshot {
  /// The rows.
  public let list: SparseList
  /// The positions of those that are said; nil for all.
  public let window: Range<Int>?
  /// Whether it is known how many rows there are.
  public let isExact: Bool
  /// Which of the versions it is that were said of a window.
  public let revision: Int

  /// All rows of a list.
  public init(_ rows: ItemList = ItemList()) {
    (list, window, isExact, revision) = (SparseList(rows), nil, true, 0)
  }

  /// A window of a list.
  ///
  /// - Parameters:
  ///   - window: the positions of the rows that are said.
  ///   - list: the rows.
  ///   - isExact: whether it is known how many there are.
  ///   - revision: which of the versions it is, which grows with each change.
  public init(_ window: Range<Int>, of list: SparseList, isExact: Bool, revision: Int = 0) {
    (self.list, self.window, self.isExact, self.revision) = (list, window, isExact, revision)
  }

  /// The rows that are read.
  public var rows: ItemList { list.rows }

  /// How many rows are said.
  public var count: Int { window?.count ?? list.count }

  /// Hands out the JSON texts of some of the rows that are said, in as few pieces as they lie in. Between pieces an array
  /// needs a comma; a row that isn't read is `null`.
  ///
  /// - Parameters:
  ///   - range: the rows, counted from the first that is said.
  ///   - body: what to do with each piece.
  public func forEachRun(in range: Range<Int>, _ body: (Span<UInt8>) -> Void) {
    guard let start = window?.lowerBound else { return rows.forEachRun(in: range, body) }
    for run in list.runs(in: start + range.lowerBound..<start + range.upperBound) {
      switch run {
      case .rows(let range): rows.forEachRun(in: range, body)
      case .unread(let count):
        let placeholder: [UInt8] = Array("null".utf8)
        for _ in 0..<count { body(placeholder.span) }
      }
    }
  }

  /// What turns the rows that one version says into those that another does: it applies in order, each to the result of the
  /// one before. A row is the same while its bytes are, and one that isn't read is like another.
  ///
  /// - Parameters:
  ///   - old: the version to start from.
  ///   - new: the version to arrive at.
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

  /// What turns rows into others, which are in the same order as far as they are in both; nil stands for one that isn't
  /// read, and below zero for one that is gone.
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

  /// Where the rows of a version stand in a later one.
  private struct Places {
    /// From which place on rows of the older version stand by how much further on, and how many of them are gone before.
    private var parts: [(start: Int, distance: Int, isGone: Bool)] = [(0, 0, false)]

    init(_ splices: [ItemList.Splice]) {
      var distance = 0
      for splice in splices {
        parts.append((splice.start - distance, 0, true))
        distance += splice.items.count - splice.deleteCount
        parts.append((splice.items.upperBound - distance, distance, false))
      }
    }

    /// The place of a row in the later version; below zero where it is gone.
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
  /// The places of the rows at some positions among those that are read; nil for each that isn't.
  fileprivate func held(in range: Range<Int>) -> [Int?] {
    runs(in: range).flatMap { run -> [Int?] in
      switch run {
      case .rows(let rows): rows.map { $0 }
      case .unread(let count): Array(repeating: nil, count: count)
      }
    }
  }
}

extension ListSnapshot: Versioned {
  /// Whether two are the same version.
  public func isSameVersion(as other: ListSnapshot) -> Bool {
    (window, isExact) == (other.window, other.isExact) && list.isIdentical(to: other.list)
  }

  /// Whether two say the same. It takes as long as there are changes from one to the other.
  public static func == (left: ListSnapshot, right: ListSnapshot) -> Bool {
    left.isSameVersion(as: right) || left.hasSamePlace(as: right) && splices(from: left, to: right).isEmpty
  }

  /// Whether two windows begin at one position of lists of one length.
  public func hasSamePlace(as other: ListSnapshot) -> Bool {
    window == nil
      || (window?.lowerBound, list.count, isExact) == (other.window?.lowerBound, other.list.count, other.isExact)
  }
}

extension ListSnapshot: Encodable {
  /// Writes the rows that are said, in their order, and null for each that isn't read.
  public func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    for run in list.runs(in: window ?? 0..<list.count) {
      switch run {
      case .rows(let range): for item in rows.items(in: range) { try array.encode(item.json) }
      case .unread(let count): for _ in 0..<count { try array.encodeNil() }
      }
    }
  }
}
