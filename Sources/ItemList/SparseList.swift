/// A list of which some rows aren't loaded. It stores the loaded rows, and only counts the *unloaded* rows between them,
/// which aren't loaded.
///
/// - A row's *position* counts all rows. Its *row index* (`row` in the code) counts only loaded rows.
/// - Adjacent unloaded rows are stored as one number, so ten million of them take as much memory as one.
///
/// ```swift
/// var list = SparseList()
/// list.resize(to: 10_000_000)
/// list.write(page, at: 5_000_000)
/// list.row(at: 5_000_000)                 // 0: the first loaded row
/// list.runs(in: 0..<10_000_000)           // [.unloaded(5_000_000), .rows(0..<20), .unloaded(4_999_980)]
/// ```
public struct SparseList: Equatable {
  /// Adjacent unloaded rows.
  private struct Gap: Equatable {
    /// How many loaded rows are before the gap.
    var row: Int
    var count: Int
  }

  /// A part of a list: either loaded rows or unloaded rows.
  public enum Segment: Equatable, Sendable {
    /// Loaded rows, by their row indices.
    case rows(Range<Int>)
    /// A number of unloaded rows.
    case unloaded(Int)
  }

  /// The loaded rows, in order.
  public private(set) var rows: ItemList
  /// The gaps, in order. No two have the same `row`, and none is empty.
  private var gaps: [Gap] = []
  /// The number of unloaded rows.
  public private(set) var unloadedCount = 0

  /// Creates a list whose rows are all loaded.
  public init(_ rows: ItemList = ItemList()) { self.rows = rows }

  /// The number of rows, loaded or not.
  public var count: Int { rows.count + unloadedCount }

  /// Whether the list is empty.
  public var isEmpty: Bool { count == 0 }

  // MARK: - Positions

  /// The position of the loaded row with a row index. For the number of loaded rows, it is the position after the last
  /// loaded row and the unloaded rows that follow it.
  public func position(ofRow row: Int) -> Int {
    var position = row
    for gap in gaps {
      if gap.row > row { break }
      position += gap.count
    }
    return position
  }

  /// The position of an item; nil if it isn't loaded.
  public func position(of id: ItemID) -> Int? { rows.index(of: id).map(position) }

  /// The row index of the row at a position; nil if it isn't loaded.
  public func row(at position: Int) -> Int? {
    if gaps.isEmpty { return 0..<count ~= position ? position : nil }
    return rows(in: position..<position + 1).first
  }

  /// The segments of loaded and unloaded rows at some positions, in order. Positions beyond the end are ignored.
  public func runs(in range: Range<Int>) -> [Segment] {
    var runs: [Segment] = []
    forEachRun(in: range) { runs.append($0) }
    return runs
  }

  /// Passes each segment of ``runs(in:)`` to a closure, without allocating an array.
  @inline(__always)
  private func forEachRun(in range: Range<Int>, _ body: (Segment) -> Void) {
    let range = range.clamped(to: 0..<count)
    // The position and the row index at which the next segment begins.
    var (position, row) = (0, 0)
    func part(_ count: Int) -> Range<Int> { (position..<position + count).clamped(to: range) }
    for index in 0...gaps.count {
      if position >= range.upperBound { break }
      let gap = index < gaps.count ? gaps[index] : Gap(row: rows.count, count: 0)
      let read = part(gap.row - row)
      if !read.isEmpty { body(.rows(read.lowerBound - position + row..<read.upperBound - position + row)) }
      (position, row) = (position + gap.row - row, gap.row)
      let unloaded = part(gap.count)
      if !unloaded.isEmpty { body(.unloaded(unloaded.count)) }
      position += gap.count
    }
  }

  /// The row indices of the loaded rows at some positions.
  public func rows(in range: Range<Int>) -> Range<Int> {
    var found: Range<Int>?
    forEachRun(in: range) { run in
      if case .rows(let rows) = run { found = (found ?? rows).lowerBound..<rows.upperBound }
    }
    return found ?? 0..<0
  }

  /// The positions in a range whose rows aren't loaded, in order.
  public func unloaded(in range: Range<Int>) -> [Range<Int>] {
    var position = range.clamped(to: 0..<count).lowerBound
    var unloaded: [Range<Int>] = []
    forEachRun(in: range) { run in
      switch run {
      case .rows(let rows): position += rows.count
      case .unloaded(let count):
        unloaded.append(position..<position + count)
        position += count
      }
    }
    return unloaded
  }

  /// The position of an unloaded row, by its number among all unloaded rows; nil if there are fewer.
  public func position(ofUnloaded number: Int) -> Int? {
    var before = 0
    for gap in gaps {
      if number < before + gap.count { return gap.row + number }
      before += gap.count
    }
    return nil
  }

  /// Whether the row directly before a loaded row is unloaded. For the number of loaded rows, whether the list ends with
  /// unloaded rows.
  public func isAfterUnloaded(_ row: Int) -> Bool { gaps.contains { $0.row == row } }

  // MARK: - Single rows

  /// Inserts an item.
  ///
  /// - Parameters:
  ///   - item: the item, whose id must not be loaded yet.
  ///   - row: the row index that it gets.
  ///   - isAfterUnloaded: whether it is inserted after the unloaded rows at that point, rather than before them.
  public mutating func insert(_ item: ItemList.Item, atRow row: Int, isAfterUnloaded: Bool) {
    guard rows.insert(item, at: row) else { return }
    shift(from: isAfterUnloaded ? row + 1 : row, by: 1)
  }

  /// Inserts items before all other rows. Their ids must not be loaded yet.
  public mutating func putFirst(_ items: ItemList) {
    rows.replaceSubrange(0..<0, with: items.items(in: 0..<items.count))
    shift(from: 0, by: items.count)
  }

  /// Replaces the item with the same id. Returns false if it isn't loaded.
  @discardableResult
  public mutating func replace(_ item: ItemList.Item) -> Bool { rows.replace(item) }

  /// Removes the item with an id, given as JSON in any spelling. Returns its row index; nil if it isn't loaded.
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    guard let row = rows.remove(rawID: id) else { return nil }
    shift(from: row + 1, by: -1)
    return row
  }

  /// Removes an item. Returns its row index; nil if it isn't loaded.
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? { remove(rawID: id.json.span) }

  // MARK: - Pages

  /// Adds a page after all rows or before them, as `ItemList` does.
  @discardableResult
  public mutating func add(_ page: RawItems, atEnd: Bool) -> ItemList.Merged {
    guard !atEnd else { return rows.append(page) }
    let merged = rows.prepend(page)
    shift(from: 0, by: merged.added)
    return merged
  }

  /// Writes a page at a position. It replaces the rows there, and the list grows if the page extends beyond its end.
  ///
  /// Items of the page that are loaded at other positions move here, and those positions become unloaded. If an id occurs
  /// twice in the page, the last item takes the position of the first.
  ///
  /// Returns the positions in the page of items whose id occurred earlier in it.
  @discardableResult
  public mutating func write(_ page: RawItems, at position: Int) -> [Int] {
    var new = ItemList()
    let repeated = new.append(page).repeated
    for slice in page.slices {
      let id = page.bytes.span.extracting(slice.idRange)
      if let row = remove(rawID: id) { addUnloaded(1, before: row) }
    }
    let range = position..<position + new.count
    if range.upperBound > count { addUnloaded(range.upperBound - count, before: rows.count) }
    for case .rows(let rows) in runs(in: range).reversed() { evict(rows) }
    guard !range.isEmpty else { return repeated }
    read(range, as: new.items(in: 0..<new.count))
    return repeated
  }

  /// Replaces adjacent unloaded rows by a page, which may have more or fewer rows. No id of the page may be loaded
  /// already. If an id occurs twice in the page, the last item takes the position of the first.
  @discardableResult
  public mutating func replaceUnloaded(_ range: Range<Int>, with page: RawItems) -> ItemList.Merged {
    var new = ItemList()
    let merged = new.append(page)
    read(range, as: new.items(in: 0..<new.count))
    join()
    return merged
  }

  /// Replaces unloaded rows by items.
  private mutating func read(_ range: Range<Int>, as items: [ItemList.Item]) {
    var start = 0
    for index in gaps.indices {
      let gap = gaps[index]
      let gapStart = start + gap.row
      start += gap.count
      guard range.lowerBound < gapStart + gap.count else { continue }
      let (before, after) = (range.lowerBound - gapStart, gapStart + gap.count - range.upperBound)
      rows.replaceSubrange(gap.row..<gap.row, with: items)
      for later in gaps[(index + 1)...].indices { gaps[later].row += items.count }
      let parts = [Gap(row: gap.row, count: before), Gap(row: gap.row + items.count, count: after)]
      gaps.replaceSubrange(index...index, with: parts.filter { $0.count > 0 })
      unloadedCount -= range.count
      return
    }
  }

  // MARK: - Unloaded rows

  /// Adds unloaded rows directly before the loaded row with a row index. To add them at the end, pass the number of
  /// loaded rows.
  public mutating func addUnloaded(_ count: Int, before row: Int) {
    guard count > 0 else { return }
    unloadedCount += count
    let index = gaps.firstIndex { $0.row >= row } ?? gaps.count
    if index < gaps.count, gaps[index].row == row {
      gaps[index].count += count
    } else {
      gaps.insert(Gap(row: row, count: count), at: index)
    }
  }

  /// Inserts an item at a position, or at the end if the list is shorter. The item's id must not be loaded yet. If the
  /// position is among unloaded rows, the item isn't stored, but counted as one more unloaded row.
  public mutating func insert(_ item: ItemList.Item, at position: Int) {
    let position = Swift.min(Swift.max(0, position), count)
    if let index = gap(at: position) {
      addUnloaded(1, before: gaps[index].row)
    } else {
      insert(item, atRow: rows(in: 0..<position).upperBound, isAfterUnloaded: true)
    }
  }

  /// Removes the row at a position, unless it is loaded.
  public mutating func removeUnloaded(at position: Int) {
    guard let index = gap(at: position), row(at: position) == nil, position < count else { return }
    removeUnloaded(1, from: index)
  }

  private mutating func removeUnloaded(_ count: Int, from index: Int) {
    gaps[index].count -= count
    unloadedCount -= count
    if gaps[index].count == 0 { gaps.remove(at: index) }
  }

  /// The index of the gap that contains a position or ends there.
  private func gap(at position: Int) -> Int? {
    var start = 0
    return gaps.firstIndex { gap in
      defer { start += gap.count }
      return start + gap.row...start + gap.row + gap.count ~= position
    }
  }

  /// Evicts loaded rows, by their row indices: they become unloaded and keep their positions. Indices beyond the end are
  /// ignored.
  public mutating func evict(_ range: Range<Int>) {
    let range = range.clamped(to: rows.indices)
    rows.replaceSubrange(range, with: [])
    for index in gaps.indices where gaps[index].row > range.lowerBound {
      gaps[index].row = Swift.max(range.lowerBound, gaps[index].row - range.count)
    }
    join()
    addUnloaded(range.count, before: range.lowerBound)
  }

  /// Changes the number of rows, by adding or removing unloaded rows, from the end first. If there are more loaded rows
  /// than that, the last of them are removed.
  public mutating func resize(to count: Int) {
    addUnloaded(count - self.count, before: rows.count)
    while self.count > count, let last = gaps.indices.last {
      removeUnloaded(Swift.min(self.count - count, gaps[last].count), from: last)
    }
    if self.count > count { rows.replaceSubrange(Swift.max(0, count)..<rows.count, with: []) }
  }

  /// Moves the gaps from a row index on.
  private mutating func shift(from row: Int, by distance: Int) {
    for index in gaps.indices where gaps[index].row >= row { gaps[index].row += distance }
    if distance < 0 { join() }
  }

  /// Merges gaps that have become adjacent.
  private mutating func join() {
    gaps = gaps.reduce(into: []) { joined, gap in
      if let last = joined.indices.last, joined[last].row == gap.row {
        joined[last].count += gap.count
      } else {
        joined.append(gap)
      }
    }
  }
}

extension SparseList {
  /// A copy with the same unloaded rows and other loaded rows, which differ from these by some insertions, removals and
  /// replacements. `first` is how many of the loaded rows come before all unloaded rows.
  public func with(rows other: ItemList, first: Int = 0) -> SparseList {
    var list = SparseList(other)
    guard !gaps.isEmpty else { return list }
    list.gaps = gaps
    list.unloadedCount = unloadedCount
    for splice in ItemList.splices(from: rows, to: other) {
      let (end, growth) = (splice.start + splice.deleteCount, splice.items.count - splice.deleteCount)
      for index in list.gaps.indices where list.gaps[index].row > splice.start {
        let row = list.gaps[index].row
        // The gap goes before the first row after it that is still there. If all of them were removed, it goes after
        // the splice.
        let behind = rows.items(in: gaps[index].row..<gaps[index].row + Swift.max(0, end - row))
        let stayed = behind.lazy.compactMap { other.index(ofRawID: $0.rawID.span) }.first(where: splice.items.contains)
        list.gaps[index].row = row >= end ? row + growth : stayed ?? splice.items.upperBound
      }
    }
    // Rows that moved, or were put first, don't change the order of the gaps.
    for index in list.gaps.indices {
      list.gaps[index].row = Swift.max(list.gaps[index].row, index == 0 ? first : list.gaps[index - 1].row)
    }
    list.join()
    return list
  }

  /// Whether two lists are the same version.
  public func isIdentical(to other: SparseList) -> Bool { gaps == other.gaps && rows.isIdentical(to: other.rows) }
}
