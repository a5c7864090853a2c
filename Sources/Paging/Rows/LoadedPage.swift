internal import ItemList
internal import WireJSON

/// A page as the rows receive it.
struct LoadedPage {
  let items: RawItems
  /// The key by which the page was requested; nil for the first page.
  let key: RawJSON?
  let next: RawJSON?
  let previous: RawJSON?
  /// Whether more items may follow later, although the page has no next page.
  let isOpen: Bool
  /// Whether the page is empty and has no page beyond it.
  let isLast: Bool
  /// The number of requested items.
  let size: Int
  /// Whether the page was evicted before, and is loaded again by its key.
  let isAgain: Bool
  /// Whether the page was requested because it contains an item, rather than by a key.
  let isAround: Bool
  /// The position of the page's first item among all rows, and the number of all rows; nil in a list without positions.
  var position: Int?
  var total: Int?
  var isTotalExact = true

  /// The positions in the page of items whose id occurred earlier in it.
  var repeated: [Int] {
    var ids: Set<ItemID> = []
    return items.slices.indices.filter { !ids.insert(items.id(at: $0)).inserted }
  }
}
