@testable import Flow
import FlowTesting
import Testing

/// Steps for drivers, signals, streams and pauses. If such a step throws, the error can only be reported to the author.
@Suite final class ElsewhereTests {
  struct State {
    var text = ""
    var pause = Pause()
  }

  let m = Marbles()
  let start = Trigger()
  let state: Feedback<State>
  var reported: [String] = []

  init() {
    start.name = "start"
    state = Feedback(State(), on: m.clock)
    state.core.turn.reportErrors { [unowned self] in reported.append($0) }
  }

  private func add(_ state: inout State, _ character: Character) throws(Refusal) {
    if character == "x" { throw Refusal("text", mustBe: "another", not: "x") }
    state.text.append(character)
  }

  @Test func `a stream's values run steps, and a refused value changes nothing`() {
    let relay = PublishRelay<Character>()
    state.on(relay, as: "relay") { [unowned self] state, character in
      state.text.append("!")
      try add(&state, character)
    }
    let text = m.record(state.text) { $0.last ?? "-" }
    for character in "axb" { relay.accept(character) }
    #expect(text.elements == ["", "!a", "!a!b"])
    #expect(reported == ["a value of 'relay' was refused: 'text' must be another"])
  }

  @Test func `a stream is subscribed to while the state has subscribers`() {
    let subject = PublishSubject<Character>()
    state.on(subject) { $0.text.append($1) }
    subject.onNext("a")
    let subscription = state.text.subscribe { _ in }
    subject.onNext("b")
    subscription.dispose()
    subject.onNext("c")
    #expect(state.state.text == "b")
  }

  @Test func `a stream that fails is reported`() {
    state.on(Observable<Character>.error(MarbleError()), as: "prices") { $0.text.append($1) }
    _ = state.text.subscribe { _ in }
    #expect(reported == ["'prices' failed, and isn't followed any more: MarbleError()"])
  }

  @Test func `a step on a signal may refuse`() {
    let relay = PublishRelay<Character>()
    state.on(relay.asSignal().filter { $0 != "y" }, as: "signal") { [unowned self] in try add(&$0, $1) }
    _ = state.text.subscribe { _ in }
    for character in "axyb" { relay.accept(character) }
    #expect(state.state.text == "ab" && reported.count == 1)
  }

  @Test func `a step on a driver may refuse`() {
    let relay = BehaviorRelay<Character>("a")
    state.on(relay.asDriver()) { [unowned self] in try add(&$0, $1) }
    _ = state.text.subscribe { _ in }
    for character in "xb" { relay.accept(character) }
    #expect(state.state.text == "ab" && reported.count == 1)
  }

  @Test func `a pause ends even if its step refuses`() {
    state.on(start) { $0.pause.start() }
    state.on(\.pause, after: .milliseconds(10)) { [unowned self] in
      $0.text = "lost"
      try add(&$0, "x")
    }
    _ = state.text.subscribe { _ in }
    m.play("a", into: start)
    m.clock.run()
    #expect(state.state.text == "" && !state.state.pause.isRunning)
    #expect(reported == [#"the step after \State.pause was refused: 'text' must be another"#])
  }

  @Test func `up to six drivers are combined, and send once per turn`() {
    let relays = "abcdef".map { BehaviorRelay<Character>($0) }
    let d = relays.map { $0.asDriver() }
    let four = combine(d[0], d[1], d[2], d[3]) { String([$0, $1, $2, $3]) }
    let five = combine(d[0], d[1], d[2], d[3], d[4]) { String([$0, $1, $2, $3, $4]) }
    let six = combine(d[0], d[1], d[2], d[3], d[4], d[5]) { String([$0, $1, $2, $3, $4, $5]) }
    let sent = [four, five, six].map { m.record($0) { Character("\($0.count)") } }
    relays[5].accept("F")
    relays[0].accept("A")
    #expect(sent[0].elements == ["abcd", "Abcd"])
    #expect(sent[1].elements == ["abcde", "Abcde"])
    #expect(sent[2].elements == ["abcdef", "abcdeF", "AbcdeF"])
  }
}
