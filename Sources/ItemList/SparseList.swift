/// A list of which not all rows are read: those that are, and how many lie unread between them.
///
/// Positions count all rows. Those that aren't read are counted together, so ten million of them cost as much as one.
///
/// ```swift
/// var list = SparseList()
/// list.resize(to: 10_000_000)
/// list.write(page, at: 5_000_000)
/// list.row(at: 5_000_000)                 // 0: the first that is read
/// list.runs(in: 0..<10_000_000)           // [.unread(5_000_000), .rows(0..<20), .unread(4_999_980)]
/// ```
public struct SparseList: Equatable {
  /// Neighbours that aren't read.
  private struct Gap: Equatable {
    /// How many of the rows that are read stand before it.
    var row: Int
    var count: Int
  }

  /// A part of a list: rows that are read, or how many aren't.
  public enum Segment: Equatable, Sendable {
    /// Rows that are read, by their places among those.
    case rows(Range<Int>)
    /// So many rows that aren't.
    case unread(Int)
  }

  /// The rows that are read, in their order.
  public private(set) var rows: ItemList
  /// In their order, no two at one place and none without rows.
  private var gaps: [Gap] = []
  /// How many rows aren't read.
  public private(set) var unreadCount = 0

  /// A list of rows that are all read.
  public init(_ rows: ItemList = ItemList()) { self.rows = rows }

  /// How many rows there are, read or not.
  public var count: Int { rows.count + unreadCount }

  /// Whether there are no rows.
  public var isEmpty: Bool { count == 0 }

  // MARK: - Positions

  /// The position among all rows of one that is read, by its place among those that are; their count stands for the position
  /// after all of them and what isn't read before that.
  public func position(ofRow row: Int) -> Int {
    var position = row
    for gap in gaps {
      if gap.row > row { break }
      position += gap.count
    }
    return position
  }

  /// The position of an item; nil where it isn't read.
  public func position(of id: ItemID) -> Int? { rows.index(of: id).map(position) }

  /// The place among the rows that are read of the one at a position; nil where that isn't read.
  public func row(at position: Int) -> Int? {
    if gaps.isEmpty { return 0..<count ~= position ? position : nil }
    return rows(in: position..<position + 1).first
  }

  /// The rows that are read at some positions, and how many lie unread between them, in order. Positions that the list doesn't
  /// have are left out.
  public func runs(in range: Range<Int>) -> [Segment] {
    var runs: [Segment] = []
    forEachRun(in: range) { runs.append($0) }
    return runs
  }

  /// Calls a closure with each of ``runs(in:)``, without an array of them.
  @inline(__always)
  private func forEachRun(in range: Range<Int>, _ body: (Segment) -> Void) {
    let range = range.clamped(to: 0..<count)
    // How many rows, and how many that are read, stand before what comes next.
    var (position, row) = (0, 0)
    func part(_ count: Int) -> Range<Int> { (position..<position + count).clamped(to: range) }
    for index in 0...gaps.count {
      if position >= range.upperBound { break }
      let gap = index < gaps.count ? gaps[index] : Gap(row: rows.count, count: 0)
      let read = part(gap.row - row)
      if !read.isEmpty { body(.rows(read.lowerBound - position + row..<read.upperBound - position + row)) }
      (position, row) = (position + gap.row - row, gap.row)
      let unread = part(gap.count)
      if !unread.isEmpty { body(.unread(unread.count)) }
      position += gap.count
    }
  }

  /// The places of the rows that are read at some positions, among all that are, from the first to the last of them.
  public func rows(in range: Range<Int>) -> Range<Int> {
    var found: Range<Int>?
    forEachRun(in: range) { run in
      if case .rows(let rows) = run { found = (found ?? rows).lowerBound..<rows.upperBound }
    }
    return found ?? 0..<0
  }

  /// The positions of a range that aren't read, in order.
  public func unread(in range: Range<Int>) -> [Range<Int>] {
    var position = range.clamped(to: 0..<count).lowerBound
    var unread: [Range<Int>] = []
    forEachRun(in: range) { run in
      switch run {
      case .rows(let rows): position += rows.count
      case .unread(let count):
        unread.append(position..<position + count)
        position += count
      }
    }
    return unread
  }

  /// The position of an unread row, by its number among all unread rows; nil if there are fewer.
  public func position(ofUnread number: Int) -> Int? {
    var before = 0
    for gap in gaps {
      if number < before + gap.count { return gap.row + number }
      before += gap.count
    }
    return nil
  }

  /// Whether rows lie unread just before the one at a place among those that are read; their count stands for the end.
  public func isAfterUnread(_ row: Int) -> Bool { gaps.contains { $0.row == row } }

  // MARK: - Single rows

  /// Puts an item in.
  ///
  /// - Parameters:
  ///   - item: the item, whose id isn't read yet.
  ///   - row: the place that it will have among the rows that are read.
  ///   - isAfterUnread: whether it comes after what lies unread there, or before.
  public mutating func insert(_ item: ItemList.Item, atRow row: Int, isAfterUnread: Bool) {
    guard rows.insert(item, at: row) else { return }
    shift(from: isAfterUnread ? row + 1 : row, by: 1)
  }

  /// Puts items whose ids aren't read yet before all others, read or not.
  public mutating func putFirst(_ items: ItemList) {
    rows.replaceSubrange(0..<0, with: items.items(in: 0..<items.count))
    shift(from: 0, by: items.count)
  }

  /// Puts an item in the place of the one with its id; false where that isn't read.
  @discardableResult
  public mutating func replace(_ item: ItemList.Item) -> Bool { rows.replace(item) }

  /// Takes out the item with an id, whose JSON text may be in any spelling; gives its place among the rows that are read, or
  /// nil where it isn't.
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    guard let row = rows.remove(rawID: id) else { return nil }
    shift(from: row + 1, by: -1)
    return row
  }

  /// Takes an item out; nil where it isn't read.
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? { remove(rawID: id.json.span) }

  // MARK: - Pages

  /// Adds a page after all rows, or before them, as `ItemList` does.
  @discardableResult
  public mutating func add(_ page: RawItems, atEnd: Bool) -> ItemList.Merged {
    guard !atEnd else { return rows.append(page) }
    let merged = rows.prepend(page)
    shift(from: 0, by: merged.added)
    return merged
  }

  /// Says what stands from a position on: of items with one id the last, at the place of the first. Rows that are read
  /// elsewhere move here, and aren't read there any more; others that stood here give way. Behind the end the list grows.
  /// Gives the positions in the page of items whose id stood in it before.
  @discardableResult
  public mutating func write(_ page: RawItems, at position: Int) -> [Int] {
    var new = ItemList()
    let repeated = new.append(page).repeated
    for slice in page.slices {
      let id = page.bytes.span.extracting(slice.idRange)
      if let row = remove(rawID: id) { addUnread(1, before: row) }
    }
    let range = position..<position + new.count
    if range.upperBound > count { addUnread(range.upperBound - count, before: rows.count) }
    for case .rows(let rows) in runs(in: range).reversed() { evict(rows) }
    guard !range.isEmpty else { return repeated }
    read(range, as: new.items(in: 0..<new.count))
    return repeated
  }

  /// Says what stands in the place of rows that lie unread together, which may be more rows or fewer. No id of the page is
  /// read; of items with one id the last counts, at the place of the first.
  @discardableResult
  public mutating func replaceUnread(_ range: Range<Int>, with page: RawItems) -> ItemList.Merged {
    var new = ItemList()
    let merged = new.append(page)
    read(range, as: new.items(in: 0..<new.count))
    join()
    return merged
  }

  /// Puts items in the place of rows that aren't read.
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
      unreadCount -= range.count
      return
    }
  }

  // MARK: - Rows that aren't read

  /// Counts rows that aren't read just before the one at a place among those that are; their count stands for the end.
  public mutating func addUnread(_ count: Int, before row: Int) {
    guard count > 0 else { return }
    unreadCount += count
    let index = gaps.firstIndex { $0.row >= row } ?? gaps.count
    if index < gaps.count, gaps[index].row == row {
      gaps[index].count += count
    } else {
      gaps.insert(Gap(row: row, count: count), at: index)
    }
  }

  /// Puts an item whose id isn't read yet in at a position, or at the end. Where rows lie unread, it is one more of these.
  public mutating func insert(_ item: ItemList.Item, at position: Int) {
    let position = Swift.min(Swift.max(0, position), count)
    if let index = gap(at: position) {
      addUnread(1, before: gaps[index].row)
    } else {
      insert(item, atRow: rows(in: 0..<position).upperBound, isAfterUnread: true)
    }
  }

  /// Takes out the row at a position, unless it is read.
  public mutating func removeUnread(at position: Int) {
    guard let index = gap(at: position), row(at: position) == nil, position < count else { return }
    removeUnread(1, from: index)
  }

  private mutating func removeUnread(_ count: Int, from index: Int) {
    gaps[index].count -= count
    unreadCount -= count
    if gaps[index].count == 0 { gaps.remove(at: index) }
  }

  /// Which rows lie unread at a position, or end there.
  private func gap(at position: Int) -> Int? {
    var start = 0
    return gaps.firstIndex { gap in
      defer { start += gap.count }
      return start + gap.row...start + gap.row + gap.count ~= position
    }
  }

  /// Lets rows go, by their places among those that are read: they aren't any more, and keep their positions. Places that
  /// the list doesn't have are left out.
  public mutating func evict(_ range: Range<Int>) {
    let range = range.clamped(to: rows.indices)
    rows.replaceSubrange(range, with: [])
    for index in gaps.indices where gaps[index].row > range.lowerBound {
      gaps[index].row = Swift.max(range.lowerBound, gaps[index].row - range.count)
    }
    join()
    addUnread(range.count, before: range.lowerBound)
  }

  /// Says how many rows there are: those that aren't read become more or fewer, at the end first. If there are fewer than are
  /// read, the last of them go.
  public mutating func resize(to count: Int) {
    addUnread(count - self.count, before: rows.count)
    while self.count > count, let last = gaps.indices.last {
      removeUnread(Swift.min(self.count - count, gaps[last].count), from: last)
    }
    if self.count > count { rows.replaceSubrange(Swift.max(0, count)..<rows.count, with: []) }
  }

  /// Moves what lies unread before a row and behind it.
  private mutating func shift(from row: Int, by distance: Int) {
    for index in gaps.indices where gaps[index].row >= row { gaps[index].row += distance }
    if distance < 0 { join() }
  }

  /// Counts together what has become neighbours.
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
  /// The same rows unread, among these that are read with some put in, taken out or replaced, so many of them before all
  /// rows, read or not.
  public func with(rows other: ItemList, first: Int = 0) -> SparseList {
    var list = SparseList(other)
    guard !gaps.isEmpty else { return list }
    list.gaps = gaps
    list.unreadCount = unreadCount
    for splice in ItemList.splices(from: rows, to: other) {
      let (end, growth) = (splice.start + splice.deleteCount, splice.items.count - splice.deleteCount)
      for index in list.gaps.indices where list.gaps[index].row > splice.start {
        let row = list.gaps[index].row
        // The first of the rows behind that has stayed, and what it was replaced by; else what comes behind the splice.
        let behind = rows.items(in: gaps[index].row..<gaps[index].row + Swift.max(0, end - row))
        let stayed = behind.lazy.compactMap { other.index(ofRawID: $0.rawID.span) }.first(where: splice.items.contains)
        list.gaps[index].row = row >= end ? row + growth : stayed ?? splice.items.upperBound
      }
    }
    // Rows that have changed places, or were put first, have what lies unread in its order all the same.
    for index in list.gaps.indices {
      list.gaps[index].row = Swift.max(list.gaps[index].row, index == 0 ? first : list.gaps[index - 1].row)
    }
    list.join()
    return list
  }

  /// Whether two lists are the same version.
  public func isIdentical(to other: SparseList) -> Bool { gaps == other.gaps && rows.isIdentical(to: other.rows) }
}
