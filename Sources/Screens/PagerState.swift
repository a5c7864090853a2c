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
  private var id: ItemID
  private var listing: Listing
  /// Nil where the item isn't listed.
  private var index: Int?
  /// The item as it was listed last.
  private var row: RawJSON?
  /// The items that stood beside it when it was listed last.
  private var neighbours: (previous: ItemID?, next: ItemID?)
  /// The item that was shown near the list's end when the last step was over.
  private var itemNearEnd: ItemID?
  private let settings: PagerSettings

  init(on id: ItemID, in listing: Listing, _ settings: PagerSettings) {
    (self.id, self.listing, self.settings) = (id, listing, settings)
    page = PagerPage(id: id.raw, whole: settings.isWhole ? false : nil)
    follow(listing)
  }

  private var list: ItemList { listing.items }

  /// Finds its item again. If that was removed, whatever has taken its place is shown, or the last.
  mutating func follow(_ listing: Listing) {
    let (before, last) = (self.listing, id)
    self.listing = listing
    if let index = list.index(of: id) ?? (before.removals < listing.removals ? index : nil), !list.isEmpty {
      go(to: min(index, list.count - 1))
    } else if let index {
      neighbours = (before.items.id(at: index - 1), before.items.id(at: index + 1))
      self.index = nil
    }
    if id != last { comeToRest() }
    show()
    askForMore(isPushed: false)
  }

  mutating func turn(_ swipe: Swipe) throws(Refusal) {
    let (target, last) = (try target(of: swipe), id)
    if let target { go(to: target) }
    if id != last || id == swipe.id && whole.failure != nil { comeToRest() }
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
    page.id = index.map { list[$0].id } ?? page.id
    (page.index, page.count, page.hasMore) = (index, list.count, listing.hasMore)
    (page.hasPrevious, page.hasNext) = (index != 0, index != list.count - 1)
  }

  /// The items that are wanted whole: what is shown, and what is beside it. Where rows are whole, what is shown and was
  /// never listed.
  private var wanted: [WholeItems.Wanted] {
    let shown = (id, index.map { list[$0].json })
    guard settings.isWhole, let index else { return settings.isWhole || row == nil ? [shown] : [] }
    return [shown] + [index + 1, index - 1].compactMap { place in list.id(at: place).map { ($0, list[place].json) } }
  }

  /// Where a swipe goes; nil where it stays on an item that isn't listed.
  private func target(of swipe: Swipe) throws(Refusal) -> Int? {
    switch (swipe.id, swipe.to) {
    case (nil, .next): return index.map { $0 + 1 } ?? neighbours.next.flatMap(list.index) ?? 0
    case (nil, .previous): return index.map { $0 - 1 } ?? neighbours.previous.flatMap(list.index) ?? 0
    case (let id, _):
      if let index = id.flatMap(list.index) { return index }
      if id == self.id, settings.item != nil { return nil }
      throw Refusal("id", mustBe: "the id of a listed item", not: swipe)
    }
  }

  /// Asks for more where the user has just come near the end, or tries to go past it.
  private mutating func askForMore(isPushed: Bool) {
    let before = itemNearEnd
    itemNearEnd = index.map { $0 >= list.count - 1 - settings.prefetch } == true ? id : nil
    let arrives = itemNearEnd != nil && itemNearEnd != before
    if listing.hasMore, arrives || isPushed { asking.fire() }
  }

  private mutating func go(to index: Int) {
    guard let id = list.id(at: index) else { return }
    (self.index, self.id, row) = (index, id, list[index].json)
  }

  /// Waits before the item is asked for, in case the user swipes on.
  private mutating func comeToRest() {
    guard settings.item != nil else { return }
    whole.retry(id)
    rest.start()
  }
}

extension ItemList {
  /// The id of the item at a position; nil where there is none.
  fileprivate func id(at position: Int) -> ItemID? { indices.contains(position) ? ItemID(self[position].id) : nil }
}
