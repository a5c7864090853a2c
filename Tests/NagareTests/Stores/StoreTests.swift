import Flow
import Nagare
import Testing

@Suite struct StoreTests {
  private let dispatcher = Dispatcher()

  private func queries(_ name: String = "selectQuery") -> Store<String> {
    Store("ramen", on: dispatcher).taking(name, of: String.self) { $0 = $1 }
  }

  private func record<Value>(_ stream: Driver<Value>) -> () -> [Value] {
    var values: [Value] = []
    _ = stream.subscribe(onNext: { values.append($0) })
    return { values }
  }

  @Test func `whoever comes late has the current state`() throws {
    let store = queries()
    let early = record(store.state)
    try ActionCreator<String>("selectQuery", to: dispatcher)("curry")
    let late = record(store.state)
    try dispatcher.dispatch(Action(type: "selectQuery", value: "sushi".json))
    #expect(early() == ["ramen", "curry", "sushi"])
    #expect(late() == ["curry", "sushi"])
  }

  @Test func `an equal state is not told again`() throws {
    let states = record(queries().state)
    try dispatcher.dispatch(Action(type: "selectQuery", value: "ramen".json))
    #expect(states() == ["ramen"])
  }

  @Test func `several stores take one action`() throws {
    let lengths = Store(0, on: dispatcher).taking("selectQuery", of: String.self) { $0 += $1.count }
    let (queries, sums) = (record(queries().state), record(lengths.state))
    try dispatcher.dispatch(Action(type: "selectQuery", value: "soba".json))
    #expect(queries() == ["ramen", "soba"])
    #expect(sums() == [0, 4])
  }

  @Test func `an action that one store can't take changes none`() {
    let states = record(queries("set").state)
    Store(0, on: dispatcher).taking("set", of: Int.self) { $0 = $1 }
    do throws(RPCError) {
      try dispatcher.dispatch(Action(type: "set", value: "soba".json))
      Issue.record("the action was taken")
    } catch {
      #expect(error.code == RPCError.Code.invalidParams.rawValue)
      #expect(error.message == "'action.value' must be an integer")
    }
    #expect(states() == ["ramen"])
  }

  @Test func `an unknown action is refused with those that are known`() {
    _ = queries()
    _ = queries("search")
    do throws(RPCError) {
      try dispatcher.dispatch(Action(type: "buy"))
      Issue.record("the action was taken")
    } catch {
      #expect(error.message == #"'action.type' must be "selectQuery" or "search", not "buy""#)
    }
  }

  @Test func `an action that another leads to comes after it has reached everybody`() throws {
    let store = queries()
    let creator = ActionCreator<String>("selectQuery", to: dispatcher)
    _ = store.state.subscribe(onNext: { if $0 == "a" { try? creator("b") } })
    let states = record(store.state)
    try creator("a")
    #expect(states() == ["ramen", "a", "b"])
  }

  @Test func `a client dispatches too`() {
    let client = Client(.counter)
    let states = record(Store("ramen", on: client.service.dispatcher).taking("pick", of: String.self) { $0 = $1 }.state)
    #expect(client.call("dispatch", #"{"action":{"type":"pick","value":"udon"}}"#) == [#"{"id":1,"result":{}}"#])
    #expect(client.call("dispatch", #"{"action":{"type":"drop"}}"#)[0].contains(#""param":"action.type""#))
    #expect(client.call("dispatch", #"{"action":{"type":"pick"}}"#)[0].contains(#""param":"action.value""#))
    #expect(states() == ["ramen", "udon"])
  }
}
