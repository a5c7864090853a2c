internal import ItemList
internal import Paging
internal import WireJSON

/// The last reported state of a watched list's first page.
struct FirstPage {
  /// The number of requested items.
  let size: Int
  private let rows: [(id: ItemID, item: RawJSON)]
  /// Whether it is the only page.
  private let isLast: Bool
  private let total: Int?

  init(_ page: HTTPPage, size: Int, id: String) {
    self.size = size
    rows = page.items.elements.compactMap { item in item.member(id).flatMap { ItemID($0) }.map { ($0, item) } }
    isLast = page.next == nil
    total = page.total
  }

  /// Returns a closure that writes the changes from this page to a newer one. It writes the fields `changes` and
  /// `total` of `source/changed`. Items are compared by their ids. Nil if there are no changes.
  func changes(to new: FirstPage) -> ((inout JSONWriter) -> Void)? {
    let (known, found) = (Set(rows.map(\.id)), Set(new.rows.map(\.id)))
    let hasCommon = !known.isDisjoint(with: found)
    let total = new.total
    if !hasCommon, !rows.isEmpty || !new.rows.isEmpty {
      return { writer in
        writer.member("changes", "all".json)
        if let total { writer.member("total", total) }
      }
    }
    let changes = changes(to: new, found)
    if changes.isEmpty, total == self.total { return nil }
    return { writer in
      writer.key("changes")
      writer.beginArray()
      for change in changes { change(&writer) }
      writer.endArray()
      if let total { writer.member("total", total) }
    }
  }

  private func changes(to new: FirstPage, _ found: Set<ItemID>) -> [(inout JSONWriter) -> Void] {
    var changes: [(inout JSONWriter) -> Void] = []
    // Items that are missing at the end may have moved to the next page, so they aren't reported as removed. An item
    // counts as removed if one after it is still on the page, or if there is no next page.
    let end = new.isLast ? rows.count : (rows.lastIndex { found.contains($0.id) } ?? -1) + 1
    for (id, _) in rows[..<end] where !found.contains(id) {
      changes.append { writer in
        writer.beginObject()
        writer.member("remove", id)
        writer.endObject()
      }
    }
    var rest = rows.filter { found.contains($0.id) }[...]
    let known = Dictionary(rows.map { ($0.id, $0.item) }) { first, _ in first }
    // Once the items that have moved are left out, an item that keeps its place in the order hasn't moved.
    var moved: Set<ItemID> = []
    for (index, (id, item)) in new.rows.enumerated() {
      while let first = rest.first, moved.contains(first.id) { rest.removeFirst() }
      if rest.first?.id == id {
        rest.removeFirst()
        if known[id]?.bytes.elementsEqual(item.bytes) == false {
          changes.append { writer in
            writer.beginObject()
            writer.member("change", item)
            writer.endObject()
          }
        }
        continue
      }
      moved.insert(id)
      let previous = index > 0 ? new.rows[index - 1].id : nil
      changes.append { writer in
        writer.beginObject()
        writer.member("insert", item)
        if let previous { writer.member("after", previous) }
        writer.endObject()
      }
    }
    return changes
  }
}
