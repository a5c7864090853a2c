import Flow
import FlowTesting
import Nagare
import Testing

@Suite struct PortTests {
  let m = Marbles()

  @Test func `what is sent streams, to whoever listens`() throws {
    let port = Port<Int>("n")
    try port.send(1)
    let values = m.record(port.stream)
    try port.send(2)
    try port.send(3)
    values.expect("(23)")
  }

  @Test func `a port can be played, and has no end`() {
    let (number, trigger) = (Port<Int>("n"), Trigger())
    let values = m.record(number.stream)
    let pulls = m.record(trigger.stream) { "x" }
    m.play("-1|2#3", into: number, values: ["1": 1, "2": 2, "3": 3])
    m.play("--a-b", into: trigger)
    m.clock.run(until: .seconds(1))
    values.expect("-1-2-3")
    pulls.expect("--x-x")
  }

  @Test func `a port is taken wherever a stream is`() throws {
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

  @Test func `what makes no sense is refused by name, and goes no further`() throws {
    let port = Port<Int>("n")
    let even = m.record(port.accepting("n", as: "an even number") { $0.isMultiple(of: 2) ? $0 : nil })
    try port.send(4)
    let refusal = try #require(throws: RPCError.self) { try port.send(5) }
    #expect(refusal.code == -32602 && refusal.message == "'n' must be an even number, not 5")
    #expect(refusal.data?.json.text == #"{"param":"n","expected":"an even number"}"#)
    try port.send(6)
    even.expect("(46)")
  }

  @Test func `what makes sense depends on the newest state`() throws {
    let port = Port<Int>("n")
    let most = BehaviorSubject(3)
    let accepted = m.record(
      port.accepting("n", as: "at most so much", given: most.asObservable()) { $0 <= $1 ? $0 : nil })
    #expect(throws: RPCError.self) { try port.send(4) }
    most.onNext(4)
    try port.send(4)
    accepted.expect("4")
  }

  @Test func `a refused value among those that are played goes by`() {
    let port = Port<Int>("n")
    let odd = m.record(port.accepting("n", as: "odd") { $0.isMultiple(of: 2) ? nil : $0 })
    m.play("123", into: port, values: ["1": 1, "2": 2, "3": 3])
    m.clock.run(until: .seconds(1))
    odd.expect("1-3")
  }
}
