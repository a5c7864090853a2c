internal import ItemList
internal import WireJSON

/// How far rows are loaded, and what lies beyond.
struct LoadedExtent {
  /// The keys of the pages beyond both ends; nil if there is none.
  var next: RawJSON?
  var previous: RawJSON?
  /// The last page, if more items may follow its own later.
  var openPage: OpenPage?
  /// The rows at the outer edges of the outermost pages when these came: they bound what is loaded by its order.
  var bounds: (first: ItemList.Item, last: ItemList.Item)?
  /// How many rows the source has at least, as its pages and changes show, if it has positions.
  var leastCount = 0

  /// Records what follows a page at the end.
  mutating func end(with page: LoadedPage) {
    next = page.isLast ? nil : page.next
    openPage = page.isOpen && next == nil ? OpenPage(key: page.key) : nil
  }

  /// Moves the bounds to the edges of a page that was added at an end.
  mutating func add(_ edges: (first: ItemList.Item, last: ItemList.Item), atEnd: Bool) {
    bounds = (atEnd ? bounds?.first ?? edges.first : edges.first, atEnd ? edges.last : bounds?.last ?? edges.last)
  }

  /// Whether an item's place by an order lies beyond the pages that are loaded.
  func excludes(_ item: ItemList.Item, by order: [RowOrder]) -> Bool {
    guard let bounds else { return false }
    return previous != nil && order.places(item, before: bounds.first)
      || next != nil && order.places(bounds.last, before: item)
  }
}

/// The last page of a source, which may get more items.
struct OpenPage {
  /// The key by which it was loaded; nil for the first page.
  let key: RawJSON?
}
