internal import Nagare
internal import Paging

/// Where a pager stands: on an item, not on an index.
struct PagerState {
  /// The page that is shown. While the list is empty it stays just as it was.
  private(set) var page: PagerPage
  /// Asks the list for more, when a step came near enough to its end, or tried to go past it.
  var asking = Pulse<Void>()
  private var id: ItemID
  private var listing: Listing
  private var index = 0
  /// The item that was shown near the list's end when the last step was over.
  private var itemNearEnd: ItemID?
  private let prefetch: Int

  init(on id: ItemID, in listing: Listing, prefetch: Int) {
    (self.id, self.listing, self.prefetch) = (id, listing, prefetch)
    page = PagerPage(id: id.raw, index: 0, count: 0, item: .null, hasPrevious: false, hasNext: false, hasMore: false)
    follow(listing)
  }

  private var list: ItemList { listing.items }

  /// Finds its item again; if that is gone, whatever has taken its place, or the last.
  mutating func follow(_ listing: Listing) {
    self.listing = listing
    go(to: list.index(of: id) ?? min(index, list.count - 1))
    askForMore(isPushed: false)
  }

  mutating func turn(_ swipe: Swipe) throws(Refusal) {
    let target = try target(of: swipe)
    go(to: target)
    askForMore(isPushed: target == list.count && target > 0)
  }

  private func target(of swipe: Swipe) throws(Refusal) -> Int {
    switch (swipe.id, swipe.to) {
    case (nil, .next): return index + 1
    case (nil, .previous): return index - 1
    case (let id, _):
      if let index = id.flatMap(list.index) { return index }
      throw Refusal("id", mustBe: "the id of a listed item", not: swipe)
    }
  }

  /// Asks for more where the user has just come near the end, or tries to go past it.
  private mutating func askForMore(isPushed: Bool) {
    let before = itemNearEnd
    itemNearEnd = !list.isEmpty && index >= list.count - 1 - prefetch ? id : nil
    let arrives = itemNearEnd != nil && itemNearEnd != before
    if listing.hasMore, arrives || isPushed { asking.fire() }
  }

  private mutating func go(to index: Int) {
    guard list.indices.contains(index), let id = ItemID(list[index].id) else { return }
    (self.index, self.id) = (index, id)
    page = PagerPage(
      id: list[index].id, index: index, count: list.count, item: list[index].json, hasPrevious: index > 0,
      hasNext: index < list.count - 1, hasMore: listing.hasMore)
  }
}
