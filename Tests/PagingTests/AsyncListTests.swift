import Flow
import FlowTesting
import Nagare
import Testing

/// An order whose lines are a list inside its state. All its work is done by asynchronous functions.
private struct OrderScreen: ViewModel {
  struct Line: Codable, Identifiable {
    let id: String
    var count: Int
  }
  struct Server: Sendable {
    let customer: @Sendable () async throws -> String
    let lines: @Sendable (_ after: Int?, _ store: String, _ count: Int) async throws -> Page<Line>
    let remove: @Sendable (Line.ID) async throws -> Void
    let amend: @Sendable (Line) async throws -> Void
    let note: @Sendable (String) async throws -> Int
  }
  struct Input: Ports {
    let reachBottom = Trigger()
    let remove = Port<Line.ID>("id")
    let amend = Port<Line>()
    let form = FormInput()
  }
  struct Output: Outputs {
    let customer: Driver<String?>
    let lines: Driver<Items<Line>>
    let loading: Driver<Bool>
    let failure: Driver<Failure?>
    let form: FormOutput<String>
  }
  struct State {
    var customer = Load<String>()
    var lines = Paged<Line>()
    var form = Form<String, Int>("note")
  }
  let server: Server
  let store: Driver<String>

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let (server, state) = (server, Feedback(State(), on: clock))
    state.on(finished: \.lines) { state, _ in state.customer.startIfIdle() }
    state.on(input.reachBottom) { $0.lines.next() }
    state.on(input.remove) { $0.lines.remove($1) }
    state.on(input.amend) { try $0.lines.update($1) }
    state.react(to: \.customer) { _ in try await server.customer() }
    state.react(
      to: \.lines,
      by: PagedList(following: store, pageSize: 2) { key, store, size in try await server.lines(key, store, size) }
        .removing { id in try await server.remove(id) }
        .updating { line in try await server.amend(line) })
    return Output(
      customer: state.customer.value, lines: state.lines.items, loading: state.isLoading, failure: state.failure,
      form: state.form(\.form, input.form) { note in try await server.note(note) })
  }
}

@Suite struct AsyncListTests {
  private typealias Line = OrderScreen.Line
  private let m = Marbles()
  private let store = PublishSubject<String>()
  private let view: Opened<OrderScreen>

  init() {
    let sleep = m.clock.sleep
    view = Opened(
      OrderScreen(
        server: OrderScreen.Server {
          try await sleep(.milliseconds(100))
          return "Mei"
        } lines: { key, store, size in
          try await sleep(.milliseconds(300))
          let lines = (0..<size).map { Line(id: "\(store)\(key ?? 0)\($0)", count: 1) }
          return Page(lines, next: key == nil ? 1 : nil)
        } remove: { _ in
          try await sleep(.milliseconds(200))
          throw LoadFailure(.unreachable, "offline")
        } amend: { _ in
          try await sleep(.milliseconds(200))
        } note: { note in
          try await sleep(.milliseconds(200))
          return note.count
        },
        store: store.asDriver(startingWith: "a") { _ in "?" }), on: m.clock)
  }

  @Test func `pages load by the key of the page before, and the newest filter wins`() {
    let lines = m.record(view.output.lines) { $0.item(at: 0)?.id.first ?? "n" }
    let loading = m.record(view.output.loading)
    m.play("-----b----", into: view.input.reachBottom)
    m.play("------b---", into: store, values: ["b": "b"])
    m.clock.run(until: .seconds(2))
    lines.expect("  n--a--n--b")
    loading.expect("t---ft----f")
  }

  @Test func `a refused edit is undone, and its failure has the input's name`() throws {
    let counts = m.record(view.output.lines) { Character("\($0.count)") }
    let failure = m.record(view.output.failure) { $0?.trigger.first ?? "n" }
    m.clock.run(until: .seconds(1))
    try view.input.amend.send(Line(id: "a00", count: 7))
    try view.input.remove.send("a01")
    m.clock.run(until: .seconds(2))
    #expect(counts.elements.last?.map(\.count) == [7, 1])
    failure.expect("n-----------r")
  }

  @Test func `a load that follows a page, and a form, work in the same state`() throws {
    let customer = m.record(view.output.customer) { $0?.first ?? "n" }
    let saving = m.record(view.output.form.saving)
    m.play("-s------", into: view.input.form.submit)
    m.clock.run(until: .seconds(2))
    customer.expect("n---M")
    saving.expect("  ft-f")
  }
}
