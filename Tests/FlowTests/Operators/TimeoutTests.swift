import Flow
import FlowTesting
import Testing

@Suite struct TimeoutTests {
  @Test func `no value for too long is a failure with the interval`() {
    let m = Marbles()
    let source = m.hot("-a--b-----c")
    let errors = m.record(
      source.stream.timeout(.milliseconds(400), on: m.clock).materialize().compactMap(\.error).map {
        $0 as? TimeoutError
      }
    ) { $0 == TimeoutError(interval: .milliseconds(400)) ? "T" : "?" }
    m.clock.run()
    errors.expect("--------(T|)")
    source.expectSubscriptions("^-------!")
  }

  @Test func `the time limit includes the first value`() {
    let m = Marbles()
    m.expect(m.hot("-----a").stream.timeout(.milliseconds(400), on: m.clock), "----#-")
  }

  @Test func `another stream can take over, without a time limit`() {
    let m = Marbles()
    let (source, other) = (m.hot("-a----b"), m.cold("-x--------y|"))
    m.expect(source.stream.timeout(.milliseconds(300), other: other.stream, on: m.clock), "-a---x--------y|")
    source.expectSubscriptions("^---!")
    other.expectSubscriptions("----^----------!")
  }

  @Test func `a stream that is fast enough ends normally`() {
    let m = Marbles()
    m.expect(m.hot("-a-b-|").stream.timeout(.milliseconds(300), on: m.clock), "-a-b-|-----")
    #expect(m.clock.timers.nextDue == nil)
  }

  @Test func `keeps the contract`() {
    expectContract { source, clock in source.timeout(.seconds(60), on: clock) }
  }
}
