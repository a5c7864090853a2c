internal import ItemList
internal import WireJSON

/// How far the rows are loaded in both directions, and how to load more.
struct LoadedExtent {
  /// The keys of the pages beyond both ends; nil if there is none.
  var next: RawJSON?
  var previous: RawJSON?
  /// The last page, if more items may follow its items later; nil otherwise.
  var openPage: OpenPage?
  /// The first and the last row of the loaded pages, as they were when their pages came. In an ordered list, they show
  /// which items belong to the loaded part.
  var bounds: (first: ItemList.Item, last: ItemList.Item)?
  /// The least number of rows that the source has, judging by its pages and changes. Only for a source with positions.
  var leastCount = 0

  /// Updates the next key and the open page from the new last page.
  mutating func end(with page: LoadedPage) {
    next = page.isLast ? nil : page.next
    openPage = page.isOpen && next == nil ? OpenPage(key: page.key) : nil
  }

  /// Extends the bounds by the outer rows of a page that was added at an end.
  mutating func add(_ edges: (first: ItemList.Item, last: ItemList.Item), atEnd: Bool) {
    bounds = (atEnd ? bounds?.first ?? edges.first : edges.first, atEnd ? edges.last : bounds?.last ?? edges.last)
  }

  /// Whether the order puts an item beyond the loaded pages.
  func excludes(_ item: ItemList.Item, by order: [RowOrder]) -> Bool {
    guard let bounds else { return false }
    return previous != nil && order.places(item, before: bounds.first)
      || next != nil && order.places(bounds.last, before: item)
  }
}

/// The last page of a source that may add more items to it.
struct OpenPage {
  /// The page's own key; nil for the first page.
  let key: RawJSON?
}
