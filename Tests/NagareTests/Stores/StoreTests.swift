import Flow
import Nagare
import Testing

extension Action<String> {
  fileprivate static let selectQuery = Action("selectQuery")
}

extension Action<Void> {
  fileprivate static let double = Action("double")
  fileprivate static let logOut = Action("logOut")
}

@Suite struct StoreTests {
  private let dispatcher = Dispatcher()

  private func queries(_ action: Action<String> = .selectQuery) -> Store<String> {
    Store("ramen", on: dispatcher).taking(action) { $0 = $1 }
  }

  private func record<Value>(_ stream: Driver<Value>) -> () -> [Value] {
    var values: [Value] = []
    _ = stream.subscribe(onNext: { values.append($0) })
    return { values }
  }

  @Test func `a late subscriber receives the current state`() throws {
    let store = queries()
    let early = record(store.state)
    try dispatcher.dispatch(.selectQuery, "curry")
    let late = record(store.state)
    try dispatcher.dispatch(AnyAction(type: "selectQuery", value: "sushi".json))
    #expect(early() == ["ramen", "curry", "sushi"])
    #expect(late() == ["curry", "sushi"])
  }

  @Test func `an equal state isn't sent again`() throws {
    let states = record(queries().state)
    try dispatcher.dispatch(AnyAction(type: "selectQuery", value: "ramen".json))
    #expect(states() == ["ramen"])
  }

  @Test func `several stores can handle one action`() throws {
    let lengths = Store(0, on: dispatcher).taking(Action<String>.selectQuery) { $0 += $1.count }
    let (queries, sums) = (record(queries().state), record(lengths.state))
    try dispatcher.dispatch(AnyAction(type: "selectQuery", value: "soba".json))
    #expect(queries() == ["ramen", "soba"])
    #expect(sums() == [0, 4])
  }

  @Test func `an action that one store refuses changes no store`() {
    let states = record(queries(Action("set")).state)
    Store(0, on: dispatcher).taking(Action<Int>("set")) { $0 = $1 }
    do throws(RPCError) {
      try dispatcher.dispatch(AnyAction(type: "set", value: "soba".json))
      Issue.record("the action was taken")
    } catch {
      #expect(error.code == RPCError.Code.invalidParams.rawValue)
      #expect(error.message == "'action.value' must be an integer")
    }
    #expect(states() == ["ramen"])
  }

  @Test func `the error for an unknown action lists the known ones`() {
    _ = queries()
    _ = queries(Action("search"))
    do throws(RPCError) {
      try dispatcher.dispatch(AnyAction(type: "buy"))
      Issue.record("the action was taken")
    } catch {
      #expect(error.message == #"'action.type' must be "selectQuery" or "search", not "buy""#)
    }
  }

  @Test func `an action that another one causes comes after that has reached all subscribers`() throws {
    let store = queries()
    _ = store.state.subscribe(onNext: { if $0 == "a" { try? dispatcher.dispatch(.selectQuery, "b") } })
    let states = record(store.state)
    try dispatcher.dispatch(.selectQuery, "a")
    #expect(states() == ["ramen", "a", "b"])
  }

  @Test func `a client can dispatch an action`() {
    let client = Client(.counter)
    let states = record(Store("ramen", on: client.service.dispatcher).taking(Action<String>("pick")) { $0 = $1 }.state)
    #expect(client.call("dispatch", #"{"action":{"type":"pick","value":"udon"}}"#) == [#"{"id":1,"result":{}}"#])
    #expect(client.call("dispatch", #"{"action":{"type":"drop"}}"#)[0].contains(#""param":"action.type""#))
    #expect(client.call("dispatch", #"{"action":{"type":"pick"}}"#)[0].contains(#""param":"action.value""#))
    #expect(states() == ["ramen", "udon"])
  }

  @Test func `an action without a value refuses a value`() throws {
    let states = record(Store(1, on: dispatcher).taking(.double) { $0 *= 2 }.state)
    try dispatcher.dispatch(.double)
    let refusal = #expect(throws: RPCError.self) { try dispatcher.dispatch(AnyAction(type: "double", value: 2.json)) }
    #expect(refusal?.message == "'action.value' must be null, because the action has no value")
    #expect(states() == [1, 2])
  }

  @Test func `an input without a value dispatches an action without a value`() {
    let counter = Store(1, on: dispatcher).taking(.double) { $0 *= 2 }
    let double = Trigger()
    double.dispatch(.double, to: dispatcher)
    #expect((try? double.send()) != nil && counter.state.value == 2)
    let unknown = Trigger()
    unknown.dispatch(.logOut, to: dispatcher)
    #expect((unknown.receive(()) as? RPCError)?.message == #"'action.type' must be "double", not "logOut""#)
  }

  @Test func `an action can restore the first state`() throws {
    let store = Store("ramen", on: dispatcher, resetOn: .logOut).taking(.selectQuery) { $0 = $1 }
    let states = record(store.state)
    try dispatcher.dispatch(.selectQuery, "curry")
    try dispatcher.dispatch(.logOut)
    try dispatcher.dispatch(.logOut)
    #expect(states() == ["ramen", "curry", "ramen"])
  }

  @Test func `all views are closed, as after a sign-out`() {
    let client = Client(.counter)
    client.call("open", #"{"screen":"counter","view":"a"}"#)
    client.call("open", #"{"screen":"counter","view":"b"}"#)
    client.service.closeViews()
    let closed = client.step()
    #expect(closed.map { $0.contains(#""closed""#) } == [true, true])
    #expect(client.call("add", #"{"view":"a"}"#)[0].contains("error"))
    client.service.closeViews()
    #expect(client.step() == [])
    #expect(client.call("open", #"{"screen":"counter","view":"a"}"#).contains { $0.contains("result") })
  }
}
