import Flow
import FlowTesting
import Nagare
import Testing

@Suite struct PortTests {
  let m = Marbles()

  @Test func `values that are sent reach the stream's subscribers`() throws {
    let port = Port<Int>("n")
    try port.send(1)
    let values = m.record(port.stream)
    try port.send(2)
    try port.send(3)
    values.expect("(23)")
  }

  @Test func `a test can play values into a port, which never ends`() {
    let (number, trigger) = (Port<Int>("n"), Trigger())
    let values = m.record(number.stream)
    let pulls = m.record(trigger.stream) { "x" }
    m.play("-1|2#3", into: number, values: ["1": 1, "2": 2, "3": 3])
    m.play("--a-b", into: trigger)
    m.clock.run(until: .seconds(1))
    values.expect("-1-2-3")
    pulls.expect("--x-x")
  }

  @Test func `a port can be used as a stream`() throws {
    let (number, trigger) = (Port<Int>("n"), Trigger())
    let merged = m.record(merge(number, number.map { $0 + 1 }))
    let sampled = m.record(trigger.withLatestFrom(number))
    let both = m.record(Observable.combineLatest(number, trigger) { number, _ in number })
    let before = m.record(number.takeUntil(trigger))
    try number.send(1)
    try trigger.send()
    merged.expect("(12)")
    sampled.expect("1")
    both.expect("1")
    before.expect("(1|)")
  }

  @Test func `a refused value is reported with its name and isn't sent`() throws {
    let port = Port<Int>("n")
    let even = m.record(
      Feedback((), on: m.clock).on(port) { _, number in
        if !number.isMultiple(of: 2) { throw Refusal("n", mustBe: "an even number", not: number) }
        return number
      })
    try port.send(4)
    let refusal = try #require(throws: RPCError.self) { try port.send(5) }
    #expect(refusal.code == -32602 && refusal.message == "'n' must be an even number, not 5")
    #expect(refusal.data?.json.text == #"{"param":"n","expected":"an even number"}"#)
    try port.send(6)
    even.expect("(46)")
  }

  @Test func `a rule can refuse values by the current state, and refused values in a test are skipped`() {
    let (port, most) = (Port<Int>("n"), Port<Int>("n"))
    let state = Feedback(1, on: m.clock)
    state.on(most) { $0 = $1 }
    let accepted = m.record(
      state.signal(on: port) { most, number in
        if number > most { throw Refusal("n", mustBe: "\(most) at most") }
        return number
      })
    let turns = m.record(state.changes(of: \.self)) { _ in "t" }
    m.play("2-2", into: port, values: ["2": 2])
    m.play("-3-", into: most, values: ["3": 3])
    m.clock.run(until: .seconds(1))
    accepted.expect("--2")
    turns.expect("-t-")
  }
}
