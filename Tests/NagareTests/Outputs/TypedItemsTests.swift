import Flow
import Nagare
import Testing

@testable import Nagare
@testable import Paging

@Suite struct TypedItemsTests {
  struct Letter: Codable, Identifiable, Equatable {
    let id: Int
    let text: String
  }

  struct Key: Record, Identifiable {
    let id: String

    static let fields = Fields(Key.init, Field("key", \.id))
  }

  /// Sends the items of a test.
  private struct Letters: ViewModel {
    struct Input: Ports {}
    struct Output: Outputs { let items: Driver<Items<Letter>> }
    let items: BehaviorSubject<Items<Letter>>

    func transform(_ input: Input, on clock: any Scheduler) -> Output { Output(items: items.asDriver()) }
  }

  private func letters(_ ids: ClosedRange<Int>, _ text: String = "x") -> [Letter] {
    ids.map { Letter(id: $0, text: text) }
  }

  @Test func `items are listed unchanged and in their order`() throws {
    var items = Items<Letter>()
    #expect(try items.append(letters(4...6)).added == 3)
    #expect(try items.prepend(letters(2...3)).added == 2)
    #expect(items.map(\.id) == [2, 3, 4, 5, 6])
    #expect(items.count == 5)
    #expect(items.index(of: 5) == 3)
    #expect(items[5] == Letter(id: 5, text: "x"))
    #expect(items[7] == nil)
    #expect(items.item(at: 0)?.id == 2)
    #expect(items.item(at: 5) == nil)
    #expect(items.item(at: -1) == nil)
  }

  @Test func `an id is listed only once`() throws {
    var items = Items<Letter>()
    try items.append(letters(1...3))
    let merged = try items.append(letters(3...4, "y"))
    #expect((merged.added, merged.replaced) == (1, 1))
    #expect(items.map(\.id) == [1, 2, 3, 4])
    #expect(items[3]?.text == "y")
  }

  @Test func `single items are inserted, replaced and removed`() throws {
    var items = Items<Letter>()
    try items.append(letters(1...3))
    #expect(try items.insert(Letter(id: 9, text: "new"), at: 1) == true)
    #expect(try items.replace(Letter(id: 3, text: "edited")) == true)
    #expect(try items.replace(Letter(id: 8, text: "nobody")) == false)
    #expect(items.remove(1) == 0)
    #expect(items.remove(1) == nil)
    #expect(items.map(\.text) == ["new", "x", "edited"])
    items.removeAll()
    #expect(items.isEmpty)
  }

  @Test func `lists are equal when their items are`() throws {
    var (left, right) = (Items<Letter>(), Items<Letter>())
    try left.append(letters(1...100))
    for id in 1...100 { try right.append([Letter(id: id, text: "x")]) }
    #expect(left == right)
    try right.replace(Letter(id: 50, text: "y"))
    #expect(left != right)
    let before = left
    left.remove(7)
    #expect(left != before)
    try left.insert(Letter(id: 7, text: "x"), at: 6)
    #expect(left == before)
  }

  @Test func `the id can have another field name, or be computed`() throws {
    var keys = Items<Key>()
    try keys.append([Key(id: "a"), Key(id: "b")])
    #expect(keys["b"]?.id == "b")
    #expect(keys.list.map(\.json.text) == [#"{"key":"a"}"#, #"{"key":"b"}"#])

    struct Place: Codable, Identifiable {
      let x: Int
      let y: Int
      var id: String { "\(x),\(y)" }
    }
    var places = Items<Place>()
    try places.append([Place(x: 1, y: 2), Place(x: 3, y: 4), Place(x: 1, y: 2)])
    #expect(places.count == 2 && places["3,4"]?.x == 3 && places.index(of: "3,4") == 1)
    #expect(places.list.map(\.json.text) == [#"{"x":1,"y":2}"#, #"{"x":3,"y":4}"#])
    #expect(places.remove("1,2") == 0)
    #expect(places.map(\.y) == [4])
  }

  private struct Score: Codable, Identifiable {
    let id: Int
    let points: Double
  }

  @Test func `an item that can't be decoded again is a failure, and no item is added`() throws {
    var items = Items<Score>()
    try items.append([Score(id: 1, points: 2)])
    let broken = [Score(id: 2, points: 3), Score(id: 7, points: .nan), Score(id: 8, points: .infinity)]
    let message = "can't be listed: it can't be decoded from its own JSON: 'points' must be a number"
    let failure = #expect(throws: ItemFailure.self) { try items.append(broken) }
    #expect(failure == ItemFailure(message: "the Score at 1 of the page (7) \(message)"))
    #expect(throws: ItemFailure.self) { try items.prepend(broken) }
    #expect(throws: ItemFailure.self) { try items.insert(broken[1], at: 0) }
    #expect(throws: ItemFailure.self) { try items.replace(Score(id: 1, points: .nan)) }
    #expect(items.map(\.id) == [1] && items[1]?.points == 2)
  }

  @Test func `inserting beyond the end is a failure`() throws {
    var items = Items<Letter>()
    for position in [-1, 1] {
      let failure = #expect(throws: ItemFailure.self) { try items.insert(Letter(id: 1, text: "x"), at: position) }
      #expect(failure?.message == "no Letter can be inserted at \(position) of 0")
    }
    #expect(items.isEmpty)
  }

  @Test func `a value without a usable id is a failure that names it`() {
    func failure<Item: Codable & Identifiable>(_ item: Item) -> String? where Item.ID: Encodable {
      var items = Items<Item>()
      return #expect(throws: ItemFailure.self) { try items.append([item]) }?.message
    }
    struct Flag: Codable, Identifiable { let id: Bool }
    #expect(
      failure(Flag(id: true))
        == "the Flag at 0 of the page can't be listed: its id must be a string or a number in JSON")
    struct Word: Codable, Identifiable {
      let id: String
      init(id: String) { self.id = id }
      init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }
      func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
    }
    #expect(
      failure(Word(id: "a"))
        == "the Word at 0 of the page (\"a\") can't be listed: it must be an object in JSON, not string")
    struct Stubborn: Codable, Identifiable {
      struct Refusal: Error {}
      let id: Int
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    #expect(
      failure(Stubborn(id: 4))
        == "the Stubborn at 0 of the page (4) can't be listed: the value can't be written as JSON: Refusal()")
  }

  @Test func `a client with deltas receives splices, another one the whole list`() throws {
    for takesDeltas in [false, true] {
      let items = BehaviorSubject(Items<Letter>())
      let client = Client(Screen { Letters(items: items) })
      client.call("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":\#(takesDeltas)}}"#)
      client.call("open", #"{"screen":"letters"}"#)
      var list = items.value
      for id in 1...2 {
        try list.append(letters(id...id))
        items.onNext(list)
        let said = client.step()
        let whole = try RawJSON(encoding: letters(1...id)).text
        #expect(
          said == [
            takesDeltas
              ? #"{"method":"items","params":{"view":"v1","base":\#(id - 1),"revision":\#(id),"count":\#(id),"#
                + #""splices":[{"start":\#(id - 1),"deleteCount":0,"items":[{"id":\#(id),"text":"x"}]}]}}"#
              : #"{"method":"items","params":{"view":"v1","value":\#(whole),"revision":\#(id)}}"#
          ])
      }
    }
  }

  @Test func `the discovery document has the schema of the items`() {
    let client = Client(Screen { Letters(items: BehaviorSubject(Items())) })
    let schema = #""value":{"type":"array","items":\#(JSONSchema(of: Letter.self).json.text)}"#
    #expect(client.call("rpc.discover")[0].contains(schema))
  }
}
