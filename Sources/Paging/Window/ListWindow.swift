internal import Flow
public import ItemList

/// The row that a client should scroll to.
public struct ScrollTarget {
  /// The position of the row.
  public let index: Int
  /// The id of the row's item; nil if the row isn't loaded.
  public let id: ItemID?

  /// Creates a target. Frontends scroll to its index.
  public init(index: Int, id: ItemID? = nil) { (self.index, self.id) = (index, id) }
}

/// A row that a pager shows, wherever the window is.
package struct ShownRow: Equatable {
  /// The id of a loaded item at the row, or near it.
  package let item: ItemID
  /// How many rows the shown row comes after this item's row. It can be negative.
  package let distance: Int

  /// Creates a shown row.
  package init(_ item: ItemID, distance: Int) { (self.item, self.distance) = (item, distance) }
}

/// The window through which a client sees a list.
///
/// - A client holds the rows in ``held``: the viewport and a margin on either side.
/// - ``viewport`` moves with its rows when the list changes.
struct ListWindow {
  /// The most rows that a client must hold.
  static let mostRows = 1000

  /// How many rows are held on either side of the viewport.
  let margin: Int
  /// How many loaded rows are kept, not counting the held ones. Others are evicted, and load again when the window
  /// comes near.
  let mostItems: Int
  /// The rows in sight, as positions in ``list``; nil if no client has reported them.
  private(set) var viewport: Range<Int>?
  /// The list at the end of the last step.
  private(set) var list = SparseList()
  /// The positions of the first page, which are held until a client reports its viewport. These positions don't change
  /// when rows are inserted before them, because the user looks at the top of the list. Once a page before the first
  /// one has loaded, they move with their rows.
  private var firstRows = 0..<0
  private var areFirstRowsFollowed = false
  /// Whether the number of rows is exact, rather than an estimate. Always true for a source without positions.
  var isTotalExact = true
  /// The item to scroll to once it is loaded; nil if there is none.
  var awaited: ItemID?
  /// Whether the viewport is the result of a jump.
  private var isJumping = false
  /// How many more pages may be requested before the viewport or the list changes. Without a limit, a source that has
  /// an item at two positions could cause endless requests. Nil if no page was requested yet.
  private var loadsLeft: Int?
  var scroll = Pulse<ScrollTarget>()
  /// The rows that stay loaded wherever the window is.
  private var kept = KeptRows()
  private var snapshots = PublishedSnapshots()

  init(margin: Int, mostItems: Int) { (self.margin, self.mostItems) = (margin, mostItems) }

  /// Records the viewport. It may extend beyond the end of the list.
  mutating func show(_ rows: Range<Int>) { (viewport, awaited, isJumping, loadsLeft) = (rows, nil, false, nil) }

  /// Forgets the viewport, because other items are listed.
  mutating func forgetViewport() { (viewport, awaited) = (nil, nil) }

  /// Moves the viewport to a position. Its size stays; if no client has reported one, it is `count`.
  mutating func jump(to position: Int, count: Int) {
    (awaited, isJumping, loadsLeft) = (nil, true, nil)
    viewport = position..<position + (viewport?.count ?? count)
    scroll.fire(ScrollTarget(index: position, id: list.row(at: position).map { list.rows[$0].itemID }))
  }

  /// Replaces the list by its newest version. The viewport moves with its rows.
  mutating func move(to list: SparseList) {
    viewport = viewport.map { list.positions(of: $0, in: self.list) }
    if areFirstRowsFollowed { firstRows = list.positions(of: firstRows, in: self.list) }
    self.list = list
  }

  /// Records that a first page loaded.
  mutating func start(withRows count: Int) { (firstRows, areFirstRowsFollowed) = (0..<count, false) }

  /// Records that a page before the first one loaded.
  mutating func startFollowingFirstRows() { areFirstRowsFollowed = true }

  /// The newest published snapshot: what a client receives.
  var published: ListSnapshot { snapshots.newest }

  /// Publishes the rows that a client holds, at the end of a step.
  mutating func publish(isExact: Bool) { snapshots.publish(held, of: list, isExact: isExact) }

  /// The current positions of rows that had other positions in a published version. If that version isn't kept any
  /// more, the oldest kept version is used.
  func positions(of rows: Range<Int>, at revision: Int) -> Range<Int> {
    snapshots.list(at: revision).map { list.positions(of: rows, in: $0) } ?? rows
  }

  /// The positions that a client holds: the viewport and a margin around it, within the list.
  var held: Range<Int> {
    let all = 0..<list.count
    guard let viewport else { return firstRows.clamped(to: all) }
    let seen = viewport.clamped(to: all).prefix(ListWindow.mostRows)
    let margin = min(self.margin, (ListWindow.mostRows - seen.count) / 2)
    return (seen.startIndex - margin..<seen.endIndex + margin).clamped(to: all)
  }

  /// Keeps the row that a pager shows. It replaces the row that the pager showed before.
  mutating func show(_ row: ShownRow?, for pager: AnyObject) {
    kept.show(row, for: pager)
    loadsLeft = nil
  }

  /// Keeps a row that was changed in the list but not in its source.
  mutating func keep(_ id: ItemID) { kept.keep(id) }

  /// Changes the id of a kept item.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    kept.rename(old, to: new)
    if awaited == old { awaited = new }
  }

  private var keptPositions: [Range<Int>] { kept.positions(in: list) }

  /// The positions that should be loaded, most urgent first: the viewport, the margin around it, and kept rows
  /// elsewhere.
  var wanted: [Range<Int>] { [viewport?.clamped(to: held) ?? held, held] + keptPositions }

  /// The positions that should be loaded and aren't.
  var wantedUnloaded: [Range<Int>] { wanted.flatMap(list.unloaded) }

  /// Whether no more pages are requested until the viewport or the list changes.
  var isStalled: Bool { loadsLeft == 0 }

  /// Counts the request of a page.
  mutating func beginLoad() {
    // Each page of a correct source loads an unloaded held row, or adds rows at an open end. A few pages may bring
    // known items, because items move meanwhile.
    let unloaded = wanted.dropFirst().flatMap(list.unloaded).reduce(0) { $0 + $1.count }
    let left = loadsLeft ?? 3 + unloaded + (reachesOpenEnd ? reach - list.count : 0)
    loadsLeft = max(0, left - 1)
  }

  /// The position up to which the client would hold rows if the list were long enough. It is at most ``mostRows`` rows
  /// after the list's end.
  private var reach: Int {
    let seen = viewport.flatMap { $0.lowerBound <= list.count ? $0.prefix(ListWindow.mostRows).upperBound : nil }
    return max(seen.map { $0 + margin } ?? 0, kept.end(in: list))
  }

  /// Whether the held rows extend to the end of the list, and more rows may follow there.
  var reachesOpenEnd: Bool { !isTotalExact && reach >= list.count }

  /// Allows requests again, because something has changed.
  mutating func renew() { loadsLeft = nil }

  /// The trigger of loads for the held rows.
  var trigger: LoadTrigger { isJumping ? .jump : .viewport }

  /// The most urgent position that should be loaded and isn't; nil if there is none.
  var unloaded: Int? { wanted.lazy.compactMap { list.unloaded(in: $0).first }.first?.lowerBound }

  /// The rows that should be loaded, in the same order, by their numbers among the unloaded rows.
  var unloadedNumbers: [Range<Int>] {
    wantedUnloaded.map { range in
      let number = range.lowerBound - list.rows(in: 0..<range.lowerBound).upperBound
      return number..<number + range.count
    }
  }

  /// The adjacent unloaded rows around a position, which may be from 0 to the count. Empty if the row is loaded.
  func gap(around position: Int) -> Range<Int> {
    list.unloaded(in: 0..<list.count).first { $0.contains(position) } ?? position..<position
  }

  /// Loaded rows to evict, because more than ``mostItems`` are loaded: those farthest from the window. Nil if none must
  /// be evicted.
  var evictionCandidate: Range<Int>? {
    let (count, limit) = (list.rows.count, mostItems)
    guard count > limit else { return nil }
    let held = held
    let near = list.rows(in: held)
    let distances = (held.lowerBound - list.position(ofRow: 0), list.position(ofRow: count - 1) - held.upperBound)
    let room = count - limit
    let (front, back) = (0..<min(room, near.lowerBound), max(count - room, near.upperBound)..<count)
    let shown = keptPositions.map(list.rows)
    return (distances.0 > distances.1 ? [front, back] : [back, front]).lazy.compactMap { range in
      shown.reduce([range]) { ranges, shown in
        ranges.flatMap { [$0.clamped(to: 0..<shown.lowerBound), $0.clamped(to: shown.upperBound..<count)] }
      }.max { $0.count < $1.count }
    }.first { !$0.isEmpty }
  }

  /// Whether more rows are loaded than may be kept.
  var isFull: Bool { list.rows.count > mostItems }

  /// The indices of the pages to evict, so that at most ``mostItems`` rows stay loaded: the pages farthest from the
  /// window.
  func evictionCandidates(among pages: [(index: Int, range: Range<Int>)]) -> [Int] {
    var surplus = list.rows.count - mostItems
    let held = held
    let near = [held] + keptPositions
    func distance(_ range: Range<Int>) -> Int {
      max(held.lowerBound - range.upperBound, range.lowerBound - held.upperBound)
    }
    let far = pages.filter { page in !near.contains { $0.overlaps(page.range) } }
    return far.sorted { distance($0.range) > distance($1.range) }.prefix { page in
      defer { surplus -= page.range.count }
      return surplus > 0
    }.map(\.index)
  }
}

// MARK: - Moved rows

extension SparseList {
  /// The current positions of rows, given their positions in an earlier version.
  ///
  /// All rows of the range move by the same distance, which is that of one row:
  ///
  /// 1. the first row that kept its neighbours, because a row that moved alone must not move the others;
  /// 2. otherwise, the row that moved least;
  /// 3. if none of them is loaded, the nearest loaded row before them.
  fileprivate func positions(of rows: Range<Int>, in old: SparseList) -> Range<Int> {
    if isIdentical(to: old) { return rows }
    let known = rows.clamped(to: 0..<old.count)
    let before = old.rows(in: 0..<known.lowerBound).upperBound
    guard let shift = shift(of: old.rows(in: known), in: old) ?? shift(before: before, in: old) else { return rows }
    let start = max(0, rows.lowerBound + shift)
    return start..<start + rows.count
  }

  /// How far a row has moved; nil if it isn't loaded any more.
  private func shift(of row: Int, in old: SparseList) -> Int? {
    position(of: old.rows[row].itemID).map { $0 - old.position(ofRow: row) }
  }

  private func shift(of rows: Range<Int>, in old: SparseList) -> Int? {
    // Usually the first row still has the same neighbours.
    if let row = rows.first, let shift = shift(of: row, in: old), stays(row, shift, in: old, among: 1) { return shift }
    let shifts = rows.lazy.compactMap { row in self.shift(of: row, in: old).map { (row, $0) } }
    if let first = shifts.first(where: { stays($0, $1, in: old, among: 5) }) { return first.1 }
    return shifts.map(\.1).min { (abs($0), $0) < (abs($1), $1) }
  }

  /// Whether a row still comes after most of the rows that were directly before it, and before most of those that were
  /// directly after it.
  private func stays(_ row: Int, _ shift: Int, in old: SparseList, among count: Int) -> Bool {
    let position = old.position(ofRow: row) + shift
    func areMost(_ rows: Range<Int>, _ isInOrder: (Int) -> Bool) -> Bool {
      let positions = rows.compactMap { self.position(of: old.rows[$0].itemID) }
      return positions.isEmpty || positions.count(where: isInOrder) * 2 > positions.count
    }
    return areMost(max(0, row - count)..<row) { $0 < position }
      && areMost(row + 1..<min(old.rows.count, row + 1 + count)) { $0 > position }
  }

  /// How far the nearest row before some removed or unloaded rows has moved.
  private func shift(before row: Int, in old: SparseList) -> Int? {
    (max(0, row - 20)..<row).reversed().lazy.compactMap { shift(of: $0, in: old) }.first
  }
}
