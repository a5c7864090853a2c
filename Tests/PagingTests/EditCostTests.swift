import Nagare
import Testing

@testable import ItemList
@testable import Paging

/// The cost of answering an edit, measured in new leaves of the list rather than in time.
@Suite struct EditCostTests {
  @Test func `refusing an insertion moves the item, and not the items before it`() {
    var items = PendingEdits()
    var rows = SourceRows(SourceRows.Options(order: []))
    rows.append(page(0..<400))
    items.apply(to: rows.all.rows, version: rows.version)
    var insertions: [ListEdit] = []
    for row in 200..<204 {
      insertions += [items.insert(item("x"), .before(ItemID(row)), of: Criteria())].compactMap(\.self)
    }
    for number in 0..<2000 { _ = items.insert(item("y\(number)"), .before(ItemID("x")), of: Criteria()) }
    #expect(items.items.index(of: ItemID("x")) == 2200)
    for (number, insertion) in insertions.dropLast().enumerated() {
      let before = items.items
      items.refuse(insertion)
      #expect(items.items.index(of: ItemID("x")) == 2201 + number)
      #expect(items.items.leaves.subtracting(before.leaves).count <= 4)
    }
  }
}

private func item(_ id: String) -> ItemList.Item { ItemList.Item(page([id]), at: 0) }

private func page<ID>(_ ids: some Sequence<ID>) -> RawItems {
  var bytes: [UInt8] = []
  var slices: [RawItems.Slice] = []
  for id in ids {
    let text = id is Int ? "\(id)" : "\"\(id)\""
    slices.append(
      RawItems.Slice(
        start: UInt32(bytes.count), length: UInt32(text.utf8.count + 7), idStart: UInt32(bytes.count + 6),
        idLength: UInt32(text.utf8.count)))
    bytes += "{\"id\":\(text)}".utf8
  }
  return RawItems(bytes: bytes, slices: slices)
}

extension ItemList {
  /// The leaves that hold the items.
  fileprivate var leaves: Set<ObjectIdentifier> { Set(leaves(of: indices).map { ObjectIdentifier($0.leaf) }) }
}
