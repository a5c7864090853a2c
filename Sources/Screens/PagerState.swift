internal import Nagare
internal import Paging

/// Where a pager stands: on an item, not on an index. What somebody reads stays, whether it is listed any more or not; only
/// a removal takes it away.
struct PagerState {
  /// The page that is shown. While the list is empty its place there stays just as it was.
  private(set) var page: PagerPage
  /// Asks the list for more, when a step came near enough to its end, or tried to go past it.
  var asking = Pulse<Void>()
  /// Whole items, where rows are summaries or there is no row.
  var whole = WholeItems()
  /// Runs from a swipe until the user has come to rest.
  var rest = Pause()
  /// Tells a list that is seen through a window which row is shown.
  var showing = Pulse<Showing>()
  private var shown: ShownRow?
  private let pager = Owner()
  /// Nil where the row isn't read.
  private var id: ItemID?
  private var listing: Listing
  /// Nil where the item isn't listed.
  private var index: Int?
  /// The item as it was listed last.
  private var row: RawJSON?
  /// Where it was when it was listed last.
  private var lastPlace: (list: SparseList, index: Int)?
  /// The item that was shown near the list's end when the last step was over.
  private var itemNearEnd: ItemID?
  private let settings: PagerSettings

  init(on id: ItemID, in listing: Listing, _ settings: PagerSettings) {
    (self.id, self.listing, self.settings) = (id, listing, settings)
    page = PagerPage(id: id.raw, whole: settings.isWhole ? false : nil)
    follow(listing)
  }

  private var list: SparseList { listing.list }

  /// Finds its item again. If that was removed, whatever has taken its place is shown, or the last.
  mutating func follow(_ listing: Listing) {
    id = id.map(listing.currentID)
    shown = shown.map { ShownRow(listing.currentID(of: $0.item), distance: $0.distance) }
    let (before, last) = (self.listing, id)
    self.listing = listing
    if let index = position ?? (before.removals < listing.removals ? index : nil), !list.isEmpty {
      go(to: min(index, list.count - 1))
    } else if let index {
      lastPlace = (before.list, index)
      self.index = nil
      show(nil)
    }
    if id != last { comeToRest() }
    show()
    askForMore(isPushed: false)
  }

  /// Where its row is now; nil where it isn't listed.
  private var position: Int? {
    if let id { return list.position(of: id) }
    return shown.flatMap { shown in list.position(of: shown.item).map { max(0, $0 + shown.distance) } } ?? index
  }

  mutating func turn(_ swipe: Swipe) throws(Refusal) {
    let (target, last) = (try target(of: swipe), id)
    if let target { go(to: target) }
    if id != last || id != nil && id == swipe.id.map(listing.currentID) && whole.failure != nil { comeToRest() }
    show()
    askForMore(isPushed: target == list.count && list.count > 0)
  }

  /// Shows what is known now: of the item, and of its place.
  mutating func show() {
    if settings.item != nil { whole.update(wanted, isRested: !rest.isRunning) }
    let item = whole.item(of: id)
    page.item = item ?? row ?? .null
    if settings.isWhole { page.whole = item != nil }
    guard !list.isEmpty else { return }
    if let index { page.id = list.item(at: index)?.id ?? .null }
    (page.index, page.count) = (index, list.count)
    page.hasMore = listing.hasMore || list.unreadCount > 0 && !list.unread(in: (index ?? 0)..<list.count).isEmpty
    (page.hasPrevious, page.hasNext) = (index != 0, index != list.count - 1)
  }

  /// The items that are wanted whole: what is shown, and what is beside it. Where rows are whole, what is shown and was
  /// never listed.
  private var wanted: [WholeItems.Wanted] {
    guard let id else { return [] }
    let shown = (id, index.flatMap { list.item(at: $0)?.json })
    guard settings.isWhole, let index else { return settings.isWhole || row == nil ? [shown] : [] }
    return [shown] + [index + 1, index - 1].compactMap { list.item(at: $0) }.map { ($0.itemID, $0.json) }
  }

  /// Where a swipe goes; nil where it stays on an item that isn't listed.
  private func target(of swipe: Swipe) throws(Refusal) -> Int? {
    switch (swipe.id, swipe.to) {
    case (nil, .next): return index.map { $0 + 1 } ?? nearest(.next) ?? nearest(.previous) ?? 0
    case (nil, .previous): return index.map { $0 - 1 } ?? nearest(.previous) ?? nearest(.next) ?? 0
    case (let named, _):
      let id = named.map(listing.currentID)
      if let index = id.flatMap(list.position) { return index }
      if id == self.id, settings.item != nil { return nil }
      throw Refusal("id", mustBe: "the id of a listed item", not: swipe)
    }
  }

  /// The nearest row on one side of where the item was listed last that is still there. Of a list that is another one
  /// altogether not all rows are tried.
  private func nearest(_ side: Swipe.Direction) -> Int? {
    guard let (old, index) = lastPlace else { return nil }
    let rows = old.rows(in: side == .next ? index + 1..<old.count : 0..<index)
    let tried = side == .next ? Array(rows.prefix(1000)) : rows.suffix(1000).reversed()
    let found = tried.lazy.compactMap { [list] row in
      list.position(of: old.rows[row].itemID).map { (row: row, position: $0) }
    }.first
    guard let found else { return nil }
    // Unread rows between that row and the item are there as well: the nearest of these is as far from that row as before.
    let position = old.position(ofRow: found.row)
    let unread = old.unread(in: side == .next ? index..<position : position..<index)
    guard let near = side == .next ? unread.first?.lowerBound : unread.last.map({ $0.upperBound - 1 }) else {
      return found.position
    }
    return min(max(0, found.position + near - position), list.count - 1)
  }

  /// Asks for more where the user has just come near the end, or tries to go past it.
  private mutating func askForMore(isPushed: Bool) {
    let before = itemNearEnd
    itemNearEnd = index.map { $0 >= list.count - 1 - settings.prefetch } == true ? id : nil
    let arrives = itemNearEnd != nil && itemNearEnd != before
    if listing.hasMore, arrives || isPushed { asking.fire() }
  }

  private mutating func go(to index: Int) {
    guard 0..<list.count ~= index else { return }
    let (item, moved) = (list.item(at: index), index - (self.index ?? index))
    (self.index, id, row) = (index, item?.itemID, item?.json)
    // Where the row isn't read, the nearest one that is says where it is, or the one that did so before.
    let before = shown.map { ShownRow($0.item, distance: $0.distance + moved) }
    show(id.map { ShownRow($0, distance: 0) } ?? list.readRow(near: index) ?? before)
  }

  private mutating func show(_ row: ShownRow?) {
    if row == shown { return }
    shown = row
    showing.fire(Showing(pager: pager, row: row))
  }

  /// Waits before the item is asked for, in case the user swipes on.
  private mutating func comeToRest() {
    guard settings.item != nil, let id else { return }
    whole.retry(id)
    rest.start()
  }
}

/// Stands for a pager, as long as that is there.
private final class Owner {}

extension SparseList {
  /// The item at a position; nil where there is none, or none that is read.
  fileprivate func item(at position: Int) -> ItemList.Item? { row(at: position).map { rows[$0] } }

  /// The last read row before a position, or else the first one behind it; nil if no row is read.
  fileprivate func readRow(near position: Int) -> ShownRow? {
    guard !rows.isEmpty else { return nil }
    let row = max(0, rows(in: 0..<position).upperBound - 1)
    return ShownRow(rows[row].itemID, distance: position - self.position(ofRow: row))
  }
}
