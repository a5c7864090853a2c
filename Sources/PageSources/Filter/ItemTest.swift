internal import Paging
internal import WireJSON

/// The criteria of a source that searches its items itself: the words of a query, and filters.
struct ItemTest {
  let query: TextQuery?
  let filter: ItemFilter

  init(_ criteria: Criteria, in source: String) throws(LoadFailure) {
    query = try TextQuery(criteria.query)
    filter = try ItemFilter(criteria.filters, in: source)
  }

  /// Criteria that all items match.
  init() { (query, filter) = (nil, ItemFilter()) }

  /// Criteria that only the item with an id matches.
  init(id: RawJSON, of member: String) {
    query = nil
    filter = ItemFilter(id: id, of: member)
  }

  /// Whether all items match.
  var isEmpty: Bool { query == nil && filter.isEmpty }

  /// Whether an item matches.
  func matches(_ item: RawJSON) -> Bool { filter.matches(item) && query?.matches(item) != false }

  /// Returns the matching items, in the requested order.
  func select<Item>(_ items: [Item], _ json: (Item) -> RawJSON) -> [Item] {
    let found = isEmpty ? items : items.filter { matches(json($0)) }
    return filter.order?.sorted(found, json) ?? found
  }
}
