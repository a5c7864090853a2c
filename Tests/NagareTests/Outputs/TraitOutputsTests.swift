import Flow
import FlowTesting
import Nagare
import Testing

/// Outputs that are drivers and signals, as a client receives them.
@Suite struct TraitOutputsTests {
  @Test func `inputs and outputs have the names and order of properties, also in structures`() {
    let client = Client(.shelf())
    #expect(
      client.call("screens") == [
        #"{"id":1,"result":{"screens":[{"screen":"shelf","viewModel":"shelf","#
          + #""inputs":["refresh","borrow","rename","visit","fail"],"#
          + #""outputs":["books","newest","loading","name","borrowed","named","navigate","error"]}]}}"#
      ])
  }

  @Test func `drivers are in the answer to open, signals are not`() {
    let client = Client(.shelf())
    #expect(
      client.call("open", #"{"screen":"shelf"}"#) == [
        #"{"id":1,"result":{"view":"v1","screen":"shelf","viewModel":"shelf","outputs":{"#
          + #""books":{"value":[],"revision":0},"newest":{"value":null},"loading":{"value":false},"#
          + #""name":{"value":"shelf"},"error":{"value":null}}}}"#
      ])
  }

  @Test func `a step sends the states that it changed and its events`() {
    let client = Client(.shelf())
    client.call("open", #"{"screen":"shelf"}"#)
    #expect(
      client.notify("refresh") == [
        #"{"method":"books","params":{"view":"v1","value":[{"id":"a","title":"A"}],"revision":1}}"#,
        #"{"method":"newest","params":{"view":"v1","value":{"id":"a","title":"A"}}}"#,
      ])
    #expect(client.notify("borrow", #"{"id":"a"}"#).compactMap(\.said) == [#"v1 borrowed "a""#])
    #expect(client.notify("visit", #"{"screen":"x"}"#)[0].contains(#"{"screen":"counter","view":"v2""#))
  }

  @Test func `a refusal names the parameter, and any other error is a fault of the view model`() {
    let client = Client(.shelf())
    var errors: [String] = []
    client.service.onModelError = { errors.append($0) }
    client.call("open", #"{"screen":"shelf"}"#)
    #expect(
      client.call("borrow", #"{"id":"z"}"#) == [
        #"{"id":2,"error":{"code":-32602,"message":"'id' must be the id of a book, not \"z\"","#
          + #""data":{"param":"id","expected":"the id of a book"}}}"#
      ])
    #expect(client.call("fail") == [#"{"id":3,"error":{"code":-32603,"message":"the view model failed: Oops()"}}"#])
    #expect(errors == [#"shelf (view "v1"): the input "fail" failed: the view model failed: Oops()"#])
  }

  @Test func `open starts loads that the first state requests, and reports their failure`() {
    let client = Client(.shelf(Shelf(load: { .error(LoadFailure(.unreachable, "gone")) }, isWanted: true)))
    let messages = client.call("open", #"{"screen":"shelf"}"#)
    let failure = #"{"code":-32010,"message":"gone","retryable":false,"trigger":"open","number":1}"#
    #expect(messages.last?.contains(#""error":{"value":\#(failure)}"#) == true, "\(messages)")
  }

  @Test func `an event during open is sent, even if its output is subscribed to last`() {
    struct Greeter: ViewModel {
      struct Input: Ports {}
      struct Output: Outputs {
        let isReady: Driver<Bool>
        let greeted: Signal<Void>
      }
      struct State {
        var greeting = Load<Bool>()
        var isReady = false
      }
      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        var first = State()
        first.greeting.start()
        let state = Feedback(first, on: clock)
        state.react(to: \.greeting) { _ in .just(true) }
        state.on(finished: \.greeting) { state, _ in state.isReady = true }
        return Output(isReady: state.isReady, greeted: state.finished(\.greeting))
      }
    }
    let client = Client(Screen { Greeter() })
    let messages = client.call("open", #"{"screen":"greeter"}"#)
    #expect(messages.compactMap(\.said) == ["v1 greeted {}"])
    #expect(messages.contains { $0.contains(#""outputs":{"isReady":{"value":true}}"#) })
  }

  @Test func `a task's result is a step, and cancelling it isn't a failure`() {
    let m = Marbles()
    let view = Opened(Shelf(), on: m.clock)
    var outcomes: [TaskOutcome] = [.cancelled, .completed("desk".json)]
    var asked: [String] = []
    view.input.present.answer = { task in
      asked.append(task.text)
      return .just(outcomes.removeFirst())
    }
    let name = m.record(view.output.name) { $0.first ?? "-" }
    let named = m.record(view.output.named)
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    m.play("-r-r", into: view.input.rename)
    m.clock.run()
    name.expect("s--d")
    named.expect("---x")
    error.expect("n---")
    #expect(asked.count == 2 && asked[0].contains(#""text":"shelf""#) && view.errors.isEmpty)
  }

  @Test func `closing a view ends its work and its inputs`() throws {
    let source = PublishSubject<[Book]>()
    let client = Client(.shelf(Shelf(load: { source.asObservable() })))
    client.call("open", #"{"screen":"shelf"}"#)
    client.notify("refresh")
    #expect(source.hasObservers)
    client.call("close")
    #expect(!source.hasObservers)
  }

  @Test func `a view that is opened for a test can be closed`() throws {
    let m = Marbles()
    let view = Opened(Shelf(), on: m.clock)
    #expect(view.input.list.refresh.name == "refresh" && view.input.open.name == "visit")
    #expect(throws: RPCError.self) { try view.input.borrow.send(ItemID("z")) }
    view.close()
    try view.input.borrow.send(ItemID("z"))
  }

  @Test func `structures of outputs can contain each other`() {
    struct Outer: ViewModel {
      struct Input: Ports {}
      struct Output: Outputs {
        let driver: Driver<Int> = .just(2)
        let signal: Signal<Void> = .never()
        let inner = Inner()
      }
      struct Inner: Outputs { let deep: Driver<Int> = .just(3) }
      func transform(_ input: Input, on clock: any Scheduler) -> Output { Output() }
    }
    let client = Client(Screen { Outer() })
    #expect(
      client.call("open", #"{"screen":"outer"}"#)[0].contains(
        #""outputs":{"driver":{"value":2},"deep":{"value":3}}"#))
  }
}
