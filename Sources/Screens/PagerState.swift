internal import Nagare
internal import Paging

/// The state of a pager.
///
/// - A pager shows an item, not an index. An item that is no longer listed stays visible.
/// - If the list removes the item, the pager shows the one at its position, or else the last one.
struct PagerState {
  /// The current page. While the list is empty, it keeps its position.
  private(set) var page: PagerPage
  /// Makes the list load its next page. It fires when a step has come close to the list's end, or has tried to go past
  /// it.
  var asking = Pulse<Void>()
  /// The full items. They are needed if rows are summaries, or if the item has no row.
  var whole = FullItems()
  /// Runs from a swipe until the user has stopped swiping.
  var rest = Pause()
  /// Reports the current row to a list with a window.
  var showing = Pulse<Showing>()
  private var shown: ShownRow?
  private let pager = Owner()
  /// Nil if the row isn't loaded.
  private var id: ItemID?
  private var listing: Listing
  /// Nil if the item isn't listed.
  private var index: Int?
  /// The row as it was last listed.
  private var row: RawJSON?
  /// The list and the position in which the item was last listed.
  private var lastPlace: (list: SparseList, index: Int)?
  /// The item that was shown near the list's end at the end of the last step.
  private var itemNearEnd: ItemID?
  private let settings: PagerSettings

  init(on id: ItemID, in listing: Listing, _ settings: PagerSettings) {
    (self.id, self.listing, self.settings) = (id, listing, settings)
    page = PagerPage(id: id.raw, whole: settings.isWhole ? false : nil)
    follow(listing)
  }

  private var list: SparseList { listing.list }

  /// Updates the list, and finds the current item in it. If it was removed, the item at its position is shown, or the
  /// last one.
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

  /// The row's current position; nil if the item isn't listed.
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

  /// Updates the page from the current item and its position.
  mutating func show() {
    if settings.item != nil { whole.update(wanted, isRested: !rest.isRunning) }
    let item = whole.item(of: id)
    page.item = item ?? row ?? .null
    if settings.isWhole { page.whole = item != nil }
    guard !list.isEmpty else { return }
    if let index { page.id = list.item(at: index)?.id ?? .null }
    (page.index, page.count) = (index, list.count)
    page.hasMore = listing.hasMore || list.unloadedCount > 0 && !list.unloaded(in: (index ?? 0)..<list.count).isEmpty
    (page.hasPrevious, page.hasNext) = (index != 0, index != list.count - 1)
  }

  /// The full items that are needed. If rows are summaries: the current item and those next to it. Otherwise only a
  /// current item that was never listed.
  private var wanted: [FullItems.Wanted] {
    guard let id else { return [] }
    let shown = (id, index.flatMap { list.item(at: $0)?.json })
    guard settings.isWhole, let index else { return settings.isWhole || row == nil ? [shown] : [] }
    return [shown] + [index + 1, index - 1].compactMap { list.item(at: $0) }.map { ($0.itemID, $0.json) }
  }

  /// Returns the position that a swipe leads to. Nil if it stays on an item that isn't listed.
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

  /// Returns the position of the nearest row on one side of the last listed position, if that row is still listed. It
  /// tries 1,000 rows at most, because after another query the list may have none of them.
  private func nearest(_ side: Swipe.Direction) -> Int? {
    guard let (old, index) = lastPlace else { return nil }
    let rows = old.rows(in: side == .next ? index + 1..<old.count : 0..<index)
    let tried = side == .next ? Array(rows.prefix(1000)) : rows.suffix(1000).reversed()
    let found = tried.lazy.compactMap { [list] row in
      list.position(of: old.rows[row].itemID).map { (row: row, position: $0) }
    }.first
    guard let found else { return nil }
    // Unloaded rows between that row and the old position are still listed, too. The nearest of them is as far from
    // that row as before.
    let position = old.position(ofRow: found.row)
    let unloaded = old.unloaded(in: side == .next ? index..<position : position..<index)
    guard let near = side == .next ? unloaded.first?.lowerBound : unloaded.last.map({ $0.upperBound - 1 }) else {
      return found.position
    }
    return min(max(0, found.position + near - position), list.count - 1)
  }

  /// Makes the list load more if the pager has just come near the end, or has tried to go past it.
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
    // If the row isn't loaded, its position is found by the nearest loaded row, or else by the row that was used
    // before.
    let before = shown.map { ShownRow($0.item, distance: $0.distance + moved) }
    show(id.map { ShownRow($0, distance: 0) } ?? list.readRow(near: index) ?? before)
  }

  private mutating func show(_ row: ShownRow?) {
    if row == shown { return }
    shown = row
    showing.fire(Showing(pager: pager, row: row))
  }

  /// Waits before the item is loaded, because the user may swipe on.
  private mutating func comeToRest() {
    guard settings.item != nil, let id else { return }
    whole.retry(id)
    rest.start()
  }
}

/// Identifies a pager for as long as it exists.
private final class Owner {}

extension SparseList {
  /// Returns the item at a position. Nil if the row isn't loaded or doesn't exist.
  fileprivate func item(at position: Int) -> ItemList.Item? { row(at: position).map { rows[$0] } }

  /// Returns the last loaded row before a position, or else the first one after it. Nil if no row is loaded.
  fileprivate func readRow(near position: Int) -> ShownRow? {
    guard !rows.isEmpty else { return nil }
    let row = max(0, rows(in: 0..<position).upperBound - 1)
    return ShownRow(rows[row].itemID, distance: position - self.position(ofRow: row))
  }
}
