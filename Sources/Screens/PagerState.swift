internal import Nagare
internal import Paging

/// Where a pager stands: on an item, not on an index. What somebody reads stays, whether it is listed any more or not; only
/// a removal takes it away.
struct PagerState {
  /// The page that is shown. While the list is empty it stays just as it was.
  private(set) var page: PagerPage
  /// Asks the list for more, when a step came near enough to its end, or tried to go past it.
  var asking = Pulse<Void>()
  private var id: ItemID
  private var listing: Listing
  /// Nil where the item isn't listed.
  private var index: Int?
  /// The items that stood beside it when it was listed last.
  private var neighbours: (previous: ItemID?, next: ItemID?)
  /// The item that was shown near the list's end when the last step was over.
  private var itemNearEnd: ItemID?
  private let prefetch: Int

  init(on id: ItemID, in listing: Listing, prefetch: Int) {
    (self.id, self.listing, self.prefetch) = (id, listing, prefetch)
    page = PagerPage(id: id.raw, index: nil, count: 0, item: .null, hasPrevious: false, hasNext: false, hasMore: false)
    follow(listing)
  }

  private var list: ItemList { listing.items }

  /// Finds its item again. If that was removed, whatever has taken its place is shown, or the last.
  mutating func follow(_ listing: Listing) {
    let before = self.listing
    self.listing = listing
    if let index = list.index(of: id) ?? (before.removals < listing.removals ? index : nil), !list.isEmpty {
      go(to: min(index, list.count - 1))
    } else {
      leave(before.items)
    }
    askForMore(isPushed: false)
  }

  /// Stays where it is, beside the list.
  private mutating func leave(_ before: ItemList) {
    if let index {
      neighbours = (before.id(at: index - 1), before.id(at: index + 1))
      self.index = nil
    }
    guard !list.isEmpty else { return }
    page = PagerPage(
      id: page.id, index: nil, count: list.count, item: page.item, hasPrevious: true, hasNext: true,
      hasMore: listing.hasMore)
  }

  mutating func turn(_ swipe: Swipe) throws(Refusal) {
    let target = try target(of: swipe)
    go(to: target)
    askForMore(isPushed: target == list.count && target > 0)
  }

  private func target(of swipe: Swipe) throws(Refusal) -> Int {
    switch (swipe.id, swipe.to) {
    case (nil, .next): return index.map { $0 + 1 } ?? neighbours.next.flatMap(list.index) ?? 0
    case (nil, .previous): return index.map { $0 - 1 } ?? neighbours.previous.flatMap(list.index) ?? 0
    case (let id, _):
      if let index = id.flatMap(list.index) { return index }
      throw Refusal("id", mustBe: "the id of a listed item", not: swipe)
    }
  }

  /// Asks for more where the user has just come near the end, or tries to go past it.
  private mutating func askForMore(isPushed: Bool) {
    let before = itemNearEnd
    itemNearEnd = index.map { $0 >= list.count - 1 - prefetch } == true ? id : nil
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

extension ItemList {
  /// The id of the item at a position; nil where there is none.
  fileprivate func id(at position: Int) -> ItemID? { indices.contains(position) ? ItemID(self[position].id) : nil }
}
