internal import ItemList
internal import WireJSON

/// A page as a list takes it in.
struct LoadedPage {
  let items: RawItems
  /// The key that it was asked for by; nil for the first page.
  let key: RawJSON?
  let next: RawJSON?
  let previous: RawJSON?
  /// Whether more items may follow its own later, although there is no next page.
  let isOpen: Bool
  /// Whether it has nothing, so that there is no page beyond it whatever it says.
  let isLast: Bool
  /// How many items were asked for.
  let size: Int
  /// Whether it was let go, and asked for again by its key.
  let isAgain: Bool
  /// Whether it was asked for because an item is there, and not by a key.
  let isAround: Bool
  /// Where it stands among all rows, and how many those are; nil where that doesn't count.
  var position: Int?
  var total: Int?
  var isTotalExact = true

  /// The positions of items whose id came before.
  var repeated: [Int] {
    var ids: Set<ItemID> = []
    return items.slices.indices.filter { !ids.insert(items.id(at: $0)).inserted }
  }
}
