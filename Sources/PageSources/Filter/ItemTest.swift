internal import Paging
internal import WireJSON

/// What a source with items of its own looks through them for: the words of a query, and what filters say.
struct ItemTest {
  let query: TextQuery?
  let filter: ItemFilter

  init(_ criteria: Criteria, in source: String) throws(LoadFailure) {
    query = try TextQuery(criteria.query)
    filter = try ItemFilter(criteria.filters, in: source)
  }

  /// Asks for everything.
  init() { (query, filter) = (nil, ItemFilter()) }

  /// Asks for the item with an id.
  init(id: RawJSON, of member: String) {
    query = nil
    filter = ItemFilter(id: id, of: member)
  }

  /// Whether every item is what is asked for.
  var isEmpty: Bool { query == nil && filter.isEmpty }

  /// Whether an item is what is asked for.
  func matches(_ item: RawJSON) -> Bool { filter.matches(item) && query?.matches(item) != false }

  /// Those of some items that are asked for, in the order that is asked for.
  func select<Item>(_ items: [Item], _ json: (Item) -> RawJSON) -> [Item] {
    let found = isEmpty ? items : items.filter { matches(json($0)) }
    return filter.order?.sorted(found, json) ?? found
  }
}
