internal import ItemList
internal import Paging
internal import WireJSON

/// The first page of what somebody watches, as it was told last.
struct FirstPage {
  /// How many items were wanted of it.
  let size: Int
  private let rows: [(id: ItemID, item: RawJSON)]
  /// Whether no page follows it.
  private let isLast: Bool
  private let total: Int?

  init(_ page: HTTPPage, size: Int, id: String) {
    self.size = size
    rows = page.items.elements.compactMap { item in item.member(id).flatMap { ItemID($0) }.map { ($0, item) } }
    isLast = page.next == nil
    total = page.total
  }

  /// Writes what has become of the page, compared by ids: the members `changes` and `total` of `source/changed`. Nil
  /// where nothing is different.
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
    // What isn't there any more may have been pushed off the end, unless what stood behind it is there.
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
    // An item that stands where it stood, after those that have moved, isn't one that has.
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
