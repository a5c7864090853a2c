import Paging
import Synchronization
import Testing

/// `Items` as a collection.
@Suite struct ItemsCollectionTests {
  struct Article: Codable, Identifiable, Equatable {
    let id: Int
    var title = "?"
  }

  private func items(_ ids: Int...) throws -> Items<Article> {
    var items = Items<Article>()
    try items.append(ids.map { Article(id: $0, title: "a\($0)") })
    return items
  }

  @Test func `items can be iterated from both ends`() throws {
    let items = try items(5, 3, 9)
    #expect(items.first?.id == 5 && items.last?.title == "a9" && items.count == 3)
    #expect(items.map(\.id) == [5, 3, 9] && items.reversed().map(\.id) == [9, 3, 5])
    #expect(
      items.prefix(2).map(\.id) == [5, 3] && items.suffix(1).map(\.id) == [9] && items.dropFirst().first?.id == 3)
    #expect(items.last { $0.id < 9 }?.id == 3 && items.firstIndex { $0.id == 9 }?.offset == 2)
    #expect(items[items.index(before: items.endIndex)].id == 9)
  }

  @Test func `a number in a subscript is an id, not a position`() throws {
    let items = try items(1, 0)
    #expect(items[0]?.title == "a0" && items.item(at: 0)?.title == "a1" && items[2] == nil)
  }

  @Test func `an empty collection has no positions`() {
    let items = Items<Article>()
    #expect(items.isEmpty && items.first == nil && items.last == nil && items.startIndex == items.endIndex)
  }

  @Test func `only the items that are read are decoded`() throws {
    var items = Items<Counted>()
    try items.append((0..<100).map { Counted(id: $0) })
    Counted.decoded.store(0, ordering: .relaxed)
    #expect(items.last { $0.id <= 97 }?.id == 97)
    // The result is decoded once more.
    #expect(Counted.decoded.load(ordering: .relaxed) == 4)
    #expect(items.prefix(2).count == 2)
    #expect(Counted.decoded.load(ordering: .relaxed) == 4)
  }

  struct Counted: Codable, Identifiable {
    static let decoded = Atomic(0)
    let id: Int

    init(id: Int) { self.id = id }

    init(from decoder: any Decoder) throws {
      Counted.decoded.add(1, ordering: .relaxed)
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    }
  }
}
