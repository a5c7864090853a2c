import Flow
import Nagare
import Testing

@testable import Nagare

@Suite struct TypedItemsTests {
  struct Letter: Record, Identifiable, Equatable {
    let id: Int
    let text: String

    static let fields = Fields(Letter.init, Field("id", \.id), Field("text", \.text))
  }

  struct Key: Record, Identifiable {
    let id: String

    static let fields = Fields(Key.init, Field("key", \.id))
  }

  /// Shows what a test puts in.
  private struct Letters: ViewModel {
    struct Input: Ports {}
    struct Output { let items: Observable<Items<Letter>> }
    let items: BehaviorSubject<Items<Letter>>

    func transform(_ input: Input, on clock: any Scheduler) -> Output { Output(items: items.asObservable()) }
  }

  private func letters(_ ids: ClosedRange<Int>, _ text: String = "x") -> [Letter] {
    ids.map { Letter(id: $0, text: text) }
  }

  @Test func `values come back as they were added, in their order`() {
    var items = Items<Letter>()
    #expect(items.append(letters(4...6)).added == 3)
    #expect(items.prepend(letters(2...3)).added == 2)
    #expect(items.map(\.id) == [2, 3, 4, 5, 6])
    #expect(items.count == 5)
    #expect(items.index(of: 5) == 3)
    #expect(items[5] == Letter(id: 5, text: "x"))
    #expect(items[7] == nil)
    #expect(items.item(at: 0)?.id == 2)
    #expect(items.item(at: 5) == nil)
    #expect(items.item(at: -1) == nil)
  }

  @Test func `an id is listed once`() {
    var items = Items<Letter>()
    items.append(letters(1...3))
    let merged = items.append(letters(3...4, "y"))
    #expect((merged.added, merged.replaced) == (1, 1))
    #expect(items.map(\.id) == [1, 2, 3, 4])
    #expect(items[3]?.text == "y")
  }

  @Test func `single items are inserted, replaced and removed`() {
    var items = Items<Letter>()
    items.append(letters(1...3))
    #expect(items.insert(Letter(id: 9, text: "new"), at: 1) == true)
    #expect(items.replace(Letter(id: 3, text: "edited")) == true)
    #expect(items.replace(Letter(id: 8, text: "nobody")) == false)
    #expect(items.remove(1) == 0)
    #expect(items.remove(1) == nil)
    #expect(items.map(\.text) == ["new", "x", "edited"])
    items.removeAll()
    #expect(items.isEmpty)
  }

  @Test func `lists are equal when their items are`() {
    var (left, right) = (Items<Letter>(), Items<Letter>())
    left.append(letters(1...100))
    for id in 1...100 { right.append([Letter(id: id, text: "x")]) }
    #expect(left == right)
    right.replace(Letter(id: 50, text: "y"))
    #expect(left != right)
    let before = left
    left.remove(7)
    #expect(left != before)
    left.insert(Letter(id: 7, text: "x"), at: 6)
    #expect(left == before)
  }

  @Test func `the id may have another name on the wire`() {
    var items = Items<Key>(id: "key")
    items.append([Key(id: "a"), Key(id: "b")])
    #expect(items["b"]?.id == "b")
    #expect(items.list[1].json.text == #"{"key":"b"}"#)
  }

  @Test func `a client with deltas is told splices, another one the whole`() {
    for takesDeltas in [false, true] {
      let items = BehaviorSubject(Items<Letter>())
      let client = Client(Screen { Letters(items: items) })
      client.call("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":\#(takesDeltas)}}"#)
      client.call("open", #"{"screen":"letters"}"#)
      var list = items.value
      for id in 1...2 {
        list.append(letters(id...id))
        items.onNext(list)
        let said = client.step()
        let whole = letters(1...id).json.text
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

  @Test func `the document tells what an item is`() {
    let client = Client(Screen { Letters(items: BehaviorSubject(Items())) })
    let schema = #""value":{"type":"array","items":\#(Letter.schema.json.text)}"#
    #expect(client.call("rpc.discover")[0].contains(schema))
  }
}
