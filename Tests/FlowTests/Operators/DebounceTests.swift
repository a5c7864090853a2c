import Flow
import FlowTesting
import Testing

@Suite struct DebounceTests {
  @Test func `a value is emitted after the quiet time`() {
    let m = Marbles()
    let source = m.hot("-ab----c-d---|")
    m.expect(source.stream.debounce(.milliseconds(300), on: m.clock), "-----b------d|")
    source.expectSubscriptions("^------------!")
  }

  @Test func `a value exactly at the end of the quiet time restarts it`() {
    let m = Marbles()
    m.expect(m.hot("-a--b-----").stream.debounce(.milliseconds(300), on: m.clock), "-------b--")
  }

  @Test func `completion emits the pending value, failure drops it`() {
    let m = Marbles()
    m.expect(m.hot("-a|").stream.debounce(.milliseconds(300), on: m.clock), "--(a|)--")
    let n = Marbles()
    n.expect(n.hot("-a#").stream.debounce(.milliseconds(300), on: n.clock), "--#---")
  }

  @Test func `each subscriber has its own quiet time`() {
    let m = Marbles()
    let settled = m.cold("a").stream.debounce(.milliseconds(300), on: m.clock)
    let first = m.record(settled)
    m.clock.run(until: .milliseconds(200))
    let second = m.record(settled)
    m.clock.run()
    first.expect("---a")
    second.expect("-----a")
  }

  @Test func `disposal drops the pending value`() {
    let m = Marbles()
    let source = m.hot("-a------")
    let recording = m.record(source.stream.debounce(.milliseconds(300), on: m.clock))
    m.clock.run(until: .milliseconds(200))
    recording.dispose()
    m.clock.run()
    recording.expect("")
    source.expectSubscriptions("^-!")
    #expect(m.clock.timers.nextDue == nil)
  }

  @Test func `keeps the contract`() {
    expectContract { source, clock in source.debounce(.milliseconds(10), on: clock) }
  }
}
