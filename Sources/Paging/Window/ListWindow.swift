internal import Flow
public import ItemList

/// What a client holds of a list of any length: the rows in sight, and some around them.
public struct WindowSettings: Sendable {
  /// The most rows that a client is asked to hold.
  public static let mostRows = 1000

  /// How many rows are held on either side of those in sight.
  public var margin: Int
  /// How many rows are kept in all, beside those that are held; others are read again when they come near.
  public var mostItems: Int
  /// Whether the source gives the page from a position on, so that rows needn't be read in their order.
  public var hasPositions: Bool
  /// Whether the source gives the page that holds an item.
  public var findsItems: Bool

  /// A window.
  public init(margin: Int = 50, mostItems: Int = 10_000, hasPositions: Bool = false, findsItems: Bool = false) {
    (self.margin, self.mostItems, self.hasPositions, self.findsItems) = (margin, mostItems, hasPositions, findsItems)
  }
}

/// Where a list is to be scrolled to.
public struct ScrollTarget {
  /// The row's position.
  public let index: Int
  /// Its item; nil where it isn't read.
  public let id: ItemID?

  /// A row.
  public init(index: Int, id: ItemID?) { (self.index, self.id) = (index, id) }
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
  let settings: WindowSettings
  /// The rows in sight, by their positions in ``list``; nil if no client has told them.
  private(set) var viewport: Range<Int>?
  /// The list at the end of the last step.
  private(set) var list = SparseList()
  /// How many rows the first page had.
  var firstCount = 0
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
  /// The rows that are read and stay, with those beside them, as long as somebody shows them.
  private var shown: [(owner: WeakReference, row: ShownRow)] = []
  /// The rows that stay because they were changed here and nowhere else.
  private var own: Set<ItemID> = []
  /// What was published, and the lists of some versions before it: a client may name positions before it knows the newest.
  private(set) var published = ListSnapshot(0..<0, of: SparseList(), isExact: false)
  private var before: [(revision: Int, list: SparseList)] = []
  private static let mostBefore = 16

  init(_ settings: WindowSettings) { self.settings = settings }

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
    self.list = list
  }

  /// Takes note of what is listed at the end of a step.
  mutating func publish(isExact: Bool) {
    let new = ListSnapshot(held, of: list, isExact: isExact, revision: published.revision + 1)
    if new.isSameVersion(as: published) { return }
    before = before.suffix(Self.mostBefore - 1) + [(published.revision, published.list)]
    published = new
  }

  /// Where rows are now that had some positions in a published version; in one that nobody knows any more they are taken
  /// for those of the oldest.
  func positions(of rows: Range<Int>, at revision: Int) -> Range<Int> {
    guard revision < published.revision, let old = before.first(where: { $0.revision >= revision }) else { return rows }
    return list.positions(of: rows, in: old.list)
  }

  /// The positions that a client holds: those in sight and the margin around them, as far as there are rows.
  var held: Range<Int> {
    let all = 0..<list.count
    guard let viewport else { return all.clamped(to: 0..<firstCount) }
    let seen = viewport.clamped(to: all).prefix(WindowSettings.mostRows)
    let margin = min(settings.margin, (WindowSettings.mostRows - seen.count) / 2)
    return (seen.startIndex - margin..<seen.endIndex + margin).clamped(to: all)
  }

  /// Has a row stay that somebody shows, in place of another.
  mutating func show(_ row: ShownRow?, for owner: AnyObject) {
    shown.removeAll { $0.owner.object == nil || $0.owner.object === owner }
    if let row { shown.append((WeakReference(object: owner), row)) }
    loadsLeft = nil
  }

  /// Has a row stay that no page would bring as it is.
  mutating func keep(_ id: ItemID) { own.insert(id) }

  /// The positions that stay because somebody shows them, or has changed them.
  private var shownPositions: [Range<Int>] {
    own.compactMap(list.position).map { $0..<$0 + 1 }
      + shown.flatMap { owner, row -> [Range<Int>] in
        guard owner.object != nil, let item = list.position(of: row.item) else { return [] }
        let shown = item + row.distance
        return [item..<item + 1, (shown - 1..<shown + 2).clamped(to: 0..<list.count)]
      }
  }

  /// The positions that are to be read: of what is in sight, before what is around that, before what is shown elsewhere.
  var wanted: [Range<Int>] { [viewport?.clamped(to: held) ?? held, held] + shownPositions }

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
    let seen = viewport.flatMap { $0.lowerBound <= list.count ? $0.prefix(WindowSettings.mostRows).upperBound : nil }
    return shown.reduce(seen.map { $0 + settings.margin } ?? 0) { reach, shown in
      guard shown.owner.object != nil, let item = list.position(of: shown.row.item) else { return reach }
      return max(reach, item + shown.row.distance + 1)
    }
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
    let (count, limit) = (list.rows.count, settings.mostItems)
    guard count > limit else { return nil }
    let held = held
    let near = list.rows(in: held)
    let distances = (held.lowerBound - list.position(ofRow: 0), list.position(ofRow: count - 1) - held.upperBound)
    let room = count - limit
    let (front, back) = (0..<min(room, near.lowerBound), max(count - room, near.upperBound)..<count)
    let shown = shownPositions.map(list.rows)
    return (distances.0 > distances.1 ? [front, back] : [back, front]).lazy.compactMap { range in
      shown.reduce([range]) { ranges, shown in
        ranges.flatMap { [$0.clamped(to: 0..<shown.lowerBound), $0.clamped(to: shown.upperBound..<count)] }
      }.max { $0.count < $1.count }
    }.first { !$0.isEmpty }
  }

  /// Whether more rows are read than there is room for.
  var isFull: Bool { list.rows.count > settings.mostItems }

  /// The places of the pages that may go, so that no more rows stay than there is room for: those that are farthest
  /// away.
  func evictionCandidates(among pages: [(index: Int, range: Range<Int>)]) -> [Int] {
    var surplus = list.rows.count - settings.mostItems
    let held = held
    let near = [held] + shownPositions
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

/// Somebody who may be gone.
private struct WeakReference {
  weak var object: AnyObject?
}

extension SparseList {
  /// Where rows are that had some positions in an earlier version: the first of them that is still read says it.
  fileprivate func positions(of rows: Range<Int>, in old: SparseList) -> Range<Int> {
    if isIdentical(to: old) { return rows }
    let known = rows.clamped(to: 0..<old.count)
    var position = known.lowerBound
    for run in old.runs(in: known) {
      switch run {
      case .unread(let count): position += count
      case .rows(let range):
        for item in old.rows.items(in: range) {
          if let moved = self.position(of: item.itemID) {
            let start = max(0, rows.lowerBound + moved - position)
            return start..<start + rows.count
          }
          position += 1
        }
      }
    }
    return rows
  }
}
