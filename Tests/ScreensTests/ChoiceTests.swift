import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct ChoiceTests {
  private let m = Marbles()
  private let dispatcher = Dispatcher()
  private let store: Store<String>
  private let choice: Choice

  init() throws {
    store = Store("r", on: dispatcher).taking(Action<String>("selectQuery")) { $0 = $1 }
    let seven = try ChoiceItem(json: RawJSON(#"{"id":7}"#))
    choice = Choice([ChoiceItem("r"), ChoiceItem("c"), seven], select: Action("selectQuery"), on: dispatcher)
  }

  @Test func `a choice reaches the store's followers, and the screen is dismissed`() {
    let input = Choice.Input()
    let output = choice.transform(input, on: m.clock)
    let query = m.record(store.state)
    let dismiss = m.record(output.dismiss) { _ in "d" }
    m.play("-c-c-r", into: input.choose, values: ["c": ItemID("c"), "r": ItemID("r")])
    m.clock.run(until: m.frame * 5)
    // The store's followers don't receive an equal value, but the screen is dismissed.
    query.expect("  rc---r")
    dismiss.expect("-d-d-d")
  }

  @Test func `three views of one store have the same value, also one that was opened late`() throws {
    let inputs = (0..<3).map { _ in Choice.Input() }
    let screens = inputs.map { m.record(choice.transform($0, on: m.clock).dismiss) { _ in "d" } }
    let early = [m.record(store.state), m.record(store.state)]
    m.play("-c", into: inputs[0].choose, values: ["c": ItemID("c")])
    m.play("--r", into: inputs[1].choose, values: ["r": ItemID("r")])
    m.play("---c", into: inputs[2].choose, values: ["c": ItemID("c")])
    m.clock.run(until: m.frame * 4)
    let late = m.record(store.state)
    try dispatcher.dispatch(AnyAction(type: "selectQuery", value: "x".json))
    for query in early { query.expect("rcrcx") }
    late.expect("               ----(cx)")
    for (screen, diagram) in zip(screens, ["-d---", "--d--", "---d-"] as [Diagram]) { screen.expect(diagram) }
  }

  @Test func `an unknown choice is refused and changes nothing`() {
    let input = Choice.Input()
    let dismiss = m.record(choice.transform(input, on: m.clock).dismiss) { _ in "d" }
    let query = m.record(store.state)
    for id in [ItemID("x"), ItemID(8), ItemID("7")] {
      let error = #expect(throws: RPCError.self) { try input.choose.send(id) }
      #expect(error?.code == -32602 && error?.message.contains("'id'") == true)
    }
    query.expect("r")
    dismiss.expect("-")
  }

  @Test func `a store's refusal is reported, and the screen isn't dismissed`() throws {
    let input = Choice.Input()
    let dismiss = m.record(choice.transform(input, on: m.clock).dismiss) { _ in "d" }
    let error = #expect(throws: RPCError.self) { try input.choose.send(ItemID(7)) }
    #expect(error?.message.contains("'action.value' must be a string") == true)
    dismiss.expect("-")
    try input.choose.send(ItemID("c"))
    dismiss.expect("d")
  }

  @Test func `an action that no store handles is reported`() {
    let input = Choice.Input()
    let nowhere = Choice([ChoiceItem("a")], select: Action("selectQuery"), on: Dispatcher())
    let dismiss = m.record(nowhere.transform(input, on: m.clock).dismiss) { _ in "d" }
    #expect(throws: RPCError.self) { try input.choose.send(ItemID("a")) }
    dismiss.expect("-")
  }

  @Test func `the choices are available immediately`() {
    var choices: [[String]] = []
    _ = choice.transform(Choice.Input(), on: m.clock).choices.subscribe(onNext: { choices.append($0.map(\.json.text)) })
    #expect(choices == [[#""r""#, #""c""#, #"{"id":7}"#]])
  }
}
