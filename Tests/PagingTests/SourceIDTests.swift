import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Every order of a few edits, and of what a source answers that gives items ids of its own, against a plain model.
@Suite struct SourceIDTests {
  enum Event: CaseIterable {
    case insertFirst, insertSecond, changeFirst, removeFirst, changeRow, removeRow
    case answerWithID, answerWithItem, answerPlainly, refuse
  }

  /// What is at the source: texts by id, in order.
  struct Row: Equatable {
    var id: String
    var text: String
  }

  /// A list and its source.
  struct World {
    var list = Paged<RawJSON>(pageSize: 10, onRefresh: .keep, writes: [.insert, .change, .remove])
    var source = [Row(id: "a", text: "0"), Row(id: "b", text: "0")]
    /// The ids that the source gave.
    var newIDs: [String: String] = [:]
    /// The items whose insertions aren't answered, by the numbers of the edits, and whether they were inserted again meanwhile.
    var inserted: [Int: (id: String, isAgain: Bool)] = [:]
    var count = 0

    init() throws {
      list.first()
      try answerPage()
    }

    mutating func answerPage() throws {
      guard case .one(let number) = list.wanted else { return }
      let texts = source.map { #"{"id":"\#($0.id)","text":"\#($0.text)"}"# }
      let items = try #require(RawItems(arrayOf: json("[\(texts.joined(separator: ","))]"), id: "id"))
      try list.receive(Page(items: items), of: number)
    }

    var rows: [Row] {
      list.items.map { Row(id: $0.id.string ?? "", text: $0.json.member("text")?.string ?? "") }
    }

    private func item(_ id: String, _ text: String? = nil) throws -> ItemList.Item {
      try #require(ItemList.Item(json(#"{"id":"\#(id)","text":"\#(text ?? "\(count)")"}"#), id: "id"))
    }

    mutating func perform(_ event: Event) throws {
      count += 1
      switch event {
      case .insertFirst: try insert("x", before: "b")
      case .insertSecond: try insert("y", before: "x")
      case .changeFirst: list.update(try item("x"))
      case .removeFirst: list.remove(ItemID("x"))
      case .changeRow: list.update(try item("a"))
      case .removeRow: list.remove(ItemID("b"))
      case .answerWithID: try answer { id, _ in EditResult(id: ItemID("\(id)+")) }
      case .answerWithItem:
        let world = self
        try answer { EditResult(item: try world.item("\($0)+", "\($1)!")) }
      case .answerPlainly: try answer { _, _ in EditResult() }
      case .refuse: try answer { _, _ in nil }
      }
    }

    private mutating func insert(_ id: String, before next: String) throws {
      let isAgain = inserted.values.contains { $0.id == id }
      list.insert(try item(id), before: ItemID(next))
      if let number = list.edits.newest { inserted[number] = (id, isAgain) }
    }

    private func currentID(_ id: ItemID) -> String {
      var id = id.raw.string ?? ""
      while let new = newIDs[id] { id = new }
      return id
    }

    /// Answers the oldest edit. The source makes it under the id that the item has there.
    private mutating func answer(_ result: (_ id: String, _ text: String) throws -> EditResult?) throws {
      guard let number = list.edits.wantedNumber(after: 0), let edit = list.edits.request(number) else { return }
      func fields(_ item: RawJSON) -> Row {
        Row(id: currentID(ItemID(item.member("id") ?? .null) ?? ItemID("")), text: item.member("text")?.string ?? "")
      }
      var made: EditResult?
      switch edit {
      case .insert(let item, let next):
        if let (id, isAgain) = inserted.removeValue(forKey: number), !isAgain { newIDs[id] = nil }
        var row = fields(item)
        made = try result(row.id, row.text)
        guard let made else { break }
        receive(made, &row)
        source.removeAll { $0.id == row.id }
        source.insert(row, at: next.map(currentID).flatMap { next in source.firstIndex { $0.id == next } } ?? 0)
      case .update(let item):
        var row = fields(item)
        guard let index = source.firstIndex(where: { $0.id == row.id }) else { break }
        made = try result(row.id, row.text)
        guard let made else { break }
        receive(made, &row)
        source[index] = row
      case .remove(let id):
        guard let index = source.firstIndex(where: { $0.id == currentID(id) }),
          try result("", "") != nil
        else { break }
        made = EditResult()
        source.remove(at: index)
      case .marked: break
      }
      if let made {
        try? list.edits.receive(made, of: number)
      } else {
        list.edits.end(number, failure: nil)
      }
    }

    private mutating func receive(_ result: EditResult, _ row: inout Row) {
      let old = row.id
      if let item = result.item { row.text = item.json.member("text")?.string ?? "" }
      row.id = result.item?.id.string ?? result.id?.raw.string ?? row.id
      if row.id == old { return }
      newIDs[old] = row.id
      for (number, (id, isAgain)) in inserted where id == old { inserted[number] = (row.id, isAgain) }
    }
  }

  @Test(arguments: Event.allCases)
  func `the list has what its source has, in every order of five events`(_ first: Event) throws {
    var worlds = 0
    for rest in 0..<10_000 {
      var (number, world) = (rest, try World())
      var events = [first]
      for _ in 0..<4 {
        events.append(Event.allCases[number % 10])
        number /= 10
      }
      for event in events { try world.perform(event) }
      while world.list.edits.wantedNumber(after: 0) != nil { try world.perform(.answerPlainly) }
      #expect(Set(world.rows.map(\.id)) == Set(world.source.map(\.id)), "\(events)")
      #expect(world.rows.sorted { $0.id < $1.id } == world.source.sorted { $0.id < $1.id }, "\(events)")
      world.list.first()
      try world.answerPage()
      #expect(world.rows == world.source, "\(events) and a refresh")
      worlds += 1
    }
    #expect(worlds == 10_000)
  }
}

extension PagedEdits {
  /// The number of the newest edit that isn't answered.
  fileprivate var newest: Int? {
    var newest: Int?
    while let next = wantedNumber(after: newest ?? 0) { newest = next }
    return newest
  }
}
