import Flow
import FlowTesting
import Testing

@Suite struct RetryTests {
  @Test func `a failure starts it over, so many times`() {
    let m = Marbles()
    let source = m.cold("-a#")
    m.expect(source.stream.retry(2), "-a-a-a#")
    source.expectSubscriptions("^-!", "--^-!", "----^-!")
  }

  @Test func `zero times passes the failure, completion does not start over`() {
    let m = Marbles()
    m.expect(m.cold("-a#").stream.retry(0), "-a#")
    let n = Marbles()
    let source = n.cold("-a|")
    n.expect(source.stream.retry(), "-a|---")
    source.expectSubscriptions("^-!")
  }

  @Test func `a hundred thousand attempts that fail at once do not deepen the stack`() {
    var attempts = 0
    var isFailed = false
    let source = Observable<Int>.create { observer in
      attempts += 1
      observer.onError(MarbleError())
      return AnyDisposable.empty
    }
    source.retry(100_000).subscribe(onError: { _ in isFailed = true }).dispose()
    #expect(attempts == 100_001 && isFailed)
  }

  @Test func `it can wait before it starts over`() {
    let m = Marbles()
    let source = m.cold("a#")
    m.expect(
      source.stream.retry { failures in failures.delay(.milliseconds(300), on: m.clock) }.take(3), "a---a---(a|)")
    source.expectSubscriptions("^!", "----^!", "--------(^!)")
  }

  @Test func `the end of the signals ends it`() {
    let m = Marbles()
    let source = m.cold("a#")
    m.expect(source.stream.retry { failures in failures.take(1).ignoreElements(of: Int.self) }, "a|")
    let n = Marbles()
    n.expect(
      n.cold("a#").stream.retry { failures in failures.flatMap { Observable<Int>.error($0) } }, "a#")
  }

  @Test func `a signal without a failure does nothing`() {
    let m = Marbles()
    let source = m.cold("a---b|")
    m.expect(source.stream.retry { _ in m.hot("-x-x").stream }, "a---b|")
    source.expectSubscriptions("^----!")
  }

  @Test func `disposal while it waits starts nothing over`() {
    let m = Marbles()
    let source = m.cold("a#")
    let recording = m.record(source.stream.retry { $0.delay(.milliseconds(300), on: m.clock) })
    m.clock.run(until: .milliseconds(200))
    recording.dispose()
    m.clock.run()
    source.expectSubscriptions("^!")
  }

  @Test func `leaves nothing in memory`() {
    expectContract { source, _ in source.retry(0) }
  }
}
