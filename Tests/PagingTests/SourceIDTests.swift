import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Edits whose source gives other ids to items, in every order of a few edits and answers, compared with a plain model.
@Suite struct SourceIDTests {
  enum Event: CaseIterable {
    case insertFirst, insertSecond, changeFirst, removeFirst, changeRow, removeRow
    case answerWithID, answerWithItem, answerPlainly, refuse, appear
  }

  /// An item at the source: its id and a text.
  struct Row: Equatable {
    var id: String
    var text: String
  }

  /// A list and its source.
  struct World {
    var list = Paged<RawJSON>(pageSize: 10, onRefresh: .keep, writes: [.insert, .change, .remove])
    var source = [Row(id: "a", text: "0"), Row(id: "b", text: "0")]
    /// The ids that the source gave while an edit was unanswered, by the edit's number. Edits that were made later have
    /// the new ids already.
    var newIDs: [Int: [String: String]] = [:]
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

    /// An id that no item of the source has.
    private func newID(for id: String) -> String {
      let new = id + "+"
      return source.contains { $0.id == new } ? newID(for: new) : new
    }

    mutating func perform(_ event: Event) throws {
      count += 1
      switch event {
      case .insertFirst: list.insert(try item("x"), before: ItemID("b"))
      case .insertSecond: list.insert(try item("y"), before: ItemID("x"))
      case .changeFirst: list.update(try item("x"))
      case .removeFirst: list.remove(ItemID("x"))
      case .changeRow: list.update(try item("a"))
      case .removeRow: list.remove(ItemID("b"))
      case .answerWithID:
        let world = self
        try answer { id, _ in EditResult(id: ItemID(world.newID(for: id))) }
      case .answerWithItem:
        let world = self
        try answer { EditResult(item: try world.item(world.newID(for: $0), "\($1)!")) }
      case .answerPlainly: try answer { _, _ in EditResult() }
      case .refuse: try answer { _, _ in nil }
      case .appear: try appear()
      }
    }

    /// Another client inserts an item at the source, whose id this list used for a different item. Then the list
    /// reloads.
    private mutating func appear() throws {
      while list.edits.wantedNumber(after: 0) != nil { try answer { _, _ in EditResult() } }
      if source.contains(where: { $0.id == "x" }) { return }
      source.append(Row(id: "x", text: "another's"))
      list.first()
      try answerPage()
    }

    private func currentID(_ id: ItemID, in edit: Int) -> String {
      var id = id.raw.string ?? ""
      while let new = newIDs[edit]?[id] { id = new }
      return id
    }

    /// Answers the oldest edit. The source makes it under the id that the item has there.
    private mutating func answer(_ result: (_ id: String, _ text: String) throws -> EditResult?) throws {
      guard let number = list.edits.wantedNumber(after: 0), let edit = list.edits.request(number) else { return }
      func fields(_ item: RawJSON) -> Row {
        Row(
          id: currentID(ItemID(item.member("id") ?? .null) ?? ItemID(""), in: number),
          text: item.member("text")?.string ?? "")
      }
      var made: EditResult?
      switch edit {
      case .insert(let item, let next):
        var row = fields(item)
        made = try result(row.id, row.text)
        guard let made else { break }
        receive(made, &row)
        source.removeAll { $0.id == row.id }
        source.insert(
          row, at: next.map { currentID($0, in: number) }.flatMap { next in source.firstIndex { $0.id == next } } ?? 0)
      case .update(let item):
        var row = fields(item)
        guard let index = source.firstIndex(where: { $0.id == row.id }) else { break }
        made = try result(row.id, row.text)
        guard let made else { break }
        receive(made, &row)
        source[index] = row
      case .remove(let id):
        guard let index = source.firstIndex(where: { $0.id == currentID(id, in: number) }),
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
      var last = 0
      while let number = list.edits.wantedNumber(after: last) {
        newIDs[number, default: [:]][old] = row.id
        last = number
      }
    }
  }

  @Test(arguments: Event.allCases)
  func `the list equals its source in every order of five events`(_ first: Event) throws {
    var worlds = 0
    let count = Event.allCases.count
    for rest in 0..<count * count * count * count {
      var (number, world) = (rest, try World())
      var events = [first]
      for _ in 0..<4 {
        events.append(Event.allCases[number % count])
        number /= count
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
    #expect(worlds == count * count * count * count)
  }
}
