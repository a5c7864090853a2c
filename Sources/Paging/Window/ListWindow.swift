internal import Flow
public import ItemList

/// Where a list is to be scrolled to.
public struct ScrollTarget {
  /// The row's position.
  public let index: Int
  /// Its item; nil where it isn't read.
  public let id: ItemID?

  /// A row. Frontends scroll to its index.
  public init(index: Int, id: ItemID? = nil) { (self.index, self.id) = (index, id) }
}

/// A row that somebody shows, wherever the window is.
package struct ShownRow: Equatable {
  /// One that is read, beside it or that itself.
  package let item: ItemID
  /// How many rows it is behind that.
  package let distance: Int

  /// A row.
  package init(_ item: ItemID, distance: Int) { (self.item, self.distance) = (item, distance) }
}

/// The window through which a client sees a list.
struct ListWindow {
  /// The most rows that a client is asked to hold.
  static let mostRows = 1000

  /// How many rows are held on either side of those in sight.
  let margin: Int
  /// How many rows are kept in all, besides those that are held. Others are read again when they come near.
  let mostItems: Int
  /// The rows in sight, by their positions in ``list``; nil if no client has told them.
  private(set) var viewport: Range<Int>?
  /// The list at the end of the last step.
  private(set) var list = SparseList()
  /// The rows of the first page, which are held until a client has reported rows in sight. Rows that come in before them are
  /// listed in their place, as the top of the list is what a user looks at; but not those of a page before them.
  private var firstRows = 0..<0
  private var areFirstRowsFollowed = false
  /// Whether the source counts its rows, rather than estimates how many there are. True of one without positions.
  var isTotalExact = true
  /// What is to be scrolled to once it is read.
  var awaited: ItemID?
  /// Whether what is in sight is what was jumped to.
  private var isJumping = false
  /// How many pages are asked for at most, before others are in sight or something changes: a source that has an item at two
  /// positions could be asked for ever. Nil where none was asked for yet.
  private var loadsLeft: Int?
  var scroll = Pulse<ScrollTarget>()
  /// The rows that stay read wherever the window is.
  private var kept = KeptRows()
  private var snapshots = PublishedSnapshots()

  init(margin: Int, mostItems: Int) { (self.margin, self.mostItems) = (margin, mostItems) }

  /// Takes the rows in sight. Those beyond the end are left out.
  mutating func show(_ rows: Range<Int>) { (viewport, awaited, isJumping, loadsLeft) = (rows, nil, false, nil) }

  /// Nobody knows any more which rows are in sight: others are listed.
  mutating func forgetViewport() { (viewport, awaited) = (nil, nil) }

  /// Has the rows at a position come into sight: as many as were, or so many if no client has told any.
  mutating func jump(to position: Int, count: Int) {
    (awaited, isJumping, loadsLeft) = (nil, true, nil)
    viewport = position..<position + (viewport?.count ?? count)
    scroll.fire(ScrollTarget(index: position, id: list.row(at: position).map { list.rows[$0].itemID }))
  }

  /// Follows the list: what is in sight stays with its rows.
  mutating func move(to list: SparseList) {
    viewport = viewport.map { list.positions(of: $0, in: self.list) }
    if areFirstRowsFollowed { firstRows = list.positions(of: firstRows, in: self.list) }
    self.list = list
  }

  /// A first page came.
  mutating func start(withRows count: Int) { (firstRows, areFirstRowsFollowed) = (0..<count, false) }

  /// A page came before the first one.
  mutating func startFollowingFirstRows() { areFirstRowsFollowed = true }

  /// What a client is to hold.
  var published: ListSnapshot { snapshots.newest }

  /// Publishes the rows that a client is to hold at the end of a step.
  mutating func publish(isExact: Bool) { snapshots.publish(held, of: list, isExact: isExact) }

  /// The positions of rows now that had other positions in a published version. If that version isn't kept any more, the
  /// oldest that is stands for it.
  func positions(of rows: Range<Int>, at revision: Int) -> Range<Int> {
    snapshots.list(at: revision).map { list.positions(of: rows, in: $0) } ?? rows
  }

  /// The positions that a client holds: those in sight and the margin around them, as far as there are rows.
  var held: Range<Int> {
    let all = 0..<list.count
    guard let viewport else { return firstRows.clamped(to: all) }
    let seen = viewport.clamped(to: all).prefix(ListWindow.mostRows)
    let margin = min(self.margin, (ListWindow.mostRows - seen.count) / 2)
    return (seen.startIndex - margin..<seen.endIndex + margin).clamped(to: all)
  }

  /// Keeps the row that a pager shows, in place of the row that it showed before.
  mutating func show(_ row: ShownRow?, for pager: AnyObject) {
    kept.show(row, for: pager)
    loadsLeft = nil
  }

  /// Keeps a row that was changed in the list, and not in its source.
  mutating func keep(_ id: ItemID) { kept.keep(id) }

  /// Gives a kept item another id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    kept.rename(old, to: new)
    if awaited == old { awaited = new }
  }

  private var keptPositions: [Range<Int>] { kept.positions(in: list) }

  /// The positions that are to be read: of what is in sight, before what is around that, before what is shown elsewhere.
  var wanted: [Range<Int>] { [viewport?.clamped(to: held) ?? held, held] + keptPositions }

  /// The positions of rows that are to be read and aren't.
  var wantedUnread: [Range<Int>] { wanted.flatMap(list.unread) }

  /// Whether nothing more is asked for until others are in sight, or something changes.
  var isStalled: Bool { loadsLeft == 0 }

  /// Takes note that a page is asked for.
  mutating func beginLoad() {
    // Each page of an honest source brings a row of those that are held and not read, or come into sight where the list
    // grows; a few may come twice meanwhile.
    let unread = wanted.dropFirst().flatMap(list.unread).reduce(0) { $0 + $1.count }
    let left = loadsLeft ?? 3 + unread + (reachesOpenEnd ? reach - list.count : 0)
    loadsLeft = max(0, left - 1)
  }

  /// The end of the rows that are held once there are so many: no more than a client holds from the last row on.
  private var reach: Int {
    let seen = viewport.flatMap { $0.lowerBound <= list.count ? $0.prefix(ListWindow.mostRows).upperBound : nil }
    return max(seen.map { $0 + margin } ?? 0, kept.end(in: list))
  }

  /// Whether what is held reaches the end, where more rows may follow.
  var reachesOpenEnd: Bool { !isTotalExact && reach >= list.count }

  /// Something has changed, so that there may be more to ask for.
  mutating func renew() { loadsLeft = nil }

  /// What makes a load begin for what is held.
  var trigger: LoadTrigger { isJumping ? .jump : .viewport }

  /// The first position that is to be read.
  var unread: Int? { wanted.lazy.compactMap { list.unread(in: $0).first }.first?.lowerBound }

  /// The rows that are to be read, in the same order, by their numbers among all that aren't.
  var unreadNumbers: [Range<Int>] {
    wantedUnread.map { range in
      let number = range.lowerBound - list.rows(in: 0..<range.lowerBound).upperBound
      return number..<number + range.count
    }
  }

  /// The rows that lie unread together around a position, from 0 to the count.
  func gap(around position: Int) -> Range<Int> {
    list.unread(in: 0..<list.count).first { $0.contains(position) } ?? position..<position
  }

  /// Which of the rows that are read may go, so that no more stay than there is room for: those that are farthest away.
  /// Nil where all may stay.
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

  /// Whether more rows are read than there is room for.
  var isFull: Bool { list.rows.count > mostItems }

  /// The places of the pages that may go, so that no more rows stay than there is room for: those that are farthest
  /// away.
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

// MARK: - Where rows went

extension SparseList {
  /// The positions now of rows that had some positions in an earlier version.
  ///
  /// The first of the rows that stayed between its neighbours decides: one that moved by itself doesn't take the others with
  /// it. If none of them stayed, the one that moved least decides; if none of them is read, the nearest read row before them.
  fileprivate func positions(of rows: Range<Int>, in old: SparseList) -> Range<Int> {
    if isIdentical(to: old) { return rows }
    let known = rows.clamped(to: 0..<old.count)
    let before = old.rows(in: 0..<known.lowerBound).upperBound
    guard let shift = shift(of: old.rows(in: known), in: old) ?? shift(before: before, in: old) else { return rows }
    let start = max(0, rows.lowerBound + shift)
    return start..<start + rows.count
  }

  /// How far the position of a row is from the one that it had; nil if it isn't read any more.
  private func shift(of row: Int, in old: SparseList) -> Int? {
    position(of: old.rows[row].itemID).map { $0 - old.position(ofRow: row) }
  }

  private func shift(of rows: Range<Int>, in old: SparseList) -> Int? {
    // Usually the first row stayed, between the two rows beside it.
    if let row = rows.first, let shift = shift(of: row, in: old), stays(row, shift, in: old, among: 1) { return shift }
    let shifts = rows.lazy.compactMap { row in self.shift(of: row, in: old).map { (row, $0) } }
    if let first = shifts.first(where: { stays($0, $1, in: old, among: 5) }) { return first.1 }
    return shifts.map(\.1).min { (abs($0), $0) < (abs($1), $1) }
  }

  /// Whether a row is still behind most of the rows that were just before it, and before most of those that were just behind
  /// it.
  private func stays(_ row: Int, _ shift: Int, in old: SparseList, among count: Int) -> Bool {
    let position = old.position(ofRow: row) + shift
    func areMost(_ rows: Range<Int>, _ isInOrder: (Int) -> Bool) -> Bool {
      let positions = rows.compactMap { self.position(of: old.rows[$0].itemID) }
      return positions.isEmpty || positions.count(where: isInOrder) * 2 > positions.count
    }
    return areMost(max(0, row - count)..<row) { $0 < position }
      && areMost(row + 1..<min(old.rows.count, row + 1 + count)) { $0 > position }
  }

  /// How far the nearest read row before some that are gone or unread has moved.
  private func shift(before row: Int, in old: SparseList) -> Int? {
    (max(0, row - 20)..<row).reversed().lazy.compactMap { shift(of: $0, in: old) }.first
  }
}
