import Flow
import FlowTesting
import Testing

@Suite struct RetryTests {
  @Test func `a failure restarts the source a limited number of times`() {
    let m = Marbles()
    let source = m.cold("-a#")
    m.expect(source.stream.retry(2), "-a-a-a#")
    source.expectSubscriptions("^-!", "--^-!", "----^-!")
  }

  @Test func `with zero attempts the failure is forwarded, and completion doesn't restart`() {
    let m = Marbles()
    m.expect(m.cold("-a#").stream.retry(0), "-a#")
    let n = Marbles()
    let source = n.cold("-a|")
    n.expect(source.stream.retry(), "-a|---")
    source.expectSubscriptions("^-!")
  }

  @Test func `a hundred thousand attempts that fail immediately don't deepen the stack`() {
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

  @Test func `an attempt can be delayed`() {
    let m = Marbles()
    let source = m.cold("a#")
    m.expect(
      source.stream.retry { failures in failures.delay(.milliseconds(300), on: m.clock) }.take(3), "a---a---(a|)")
    source.expectSubscriptions("^!", "----^!", "--------(^!)")
  }

  @Test func `the end of the control stream ends the result`() {
    let m = Marbles()
    let source = m.cold("a#")
    m.expect(source.stream.retry { failures in failures.take(1).ignoreElements(of: Int.self) }, "a|")
    let n = Marbles()
    n.expect(
      n.cold("a#").stream.retry { failures in failures.flatMap { Observable<Int>.error($0) } }, "a#")
  }

  @Test func `the current attempt finishes after the control stream has ended`() {
    let m = Marbles()
    let source = m.cold("-a#")
    m.expect(source.stream.retry { failures in failures.take(1) }, "-a-a|")
    source.expectSubscriptions("^-!", "--^-!")
    let n = Marbles()
    n.expect(n.cold("-a-b|").stream.retry { _ in .of(1) }, "-a-b|")
    let o = Marbles()
    o.expect(o.cold("-a#").stream.retry { _ in Observable<Int>.empty() }, "-a|")
  }

  @Test func `a failure of the control stream also waits for the current attempt`() {
    let m = Marbles()
    let signals = { (failures: Observable<any Error>) in failures.take(1).concat(.error(MarbleError())) }
    m.expect(m.cold("-a#").stream.retry(when: signals), "-a-a#")
    let n = Marbles()
    n.expect(n.cold("-a|").stream.retry { _ in Observable<Int>.error(MarbleError()) }, "-a|")
  }

  @Test func `attempts that fail immediately are limited by the control stream`() {
    var attempts = 0
    var log: [String] = []
    let source = Observable<Int>.deferred {
      attempts += 1
      return .of(attempts).concat(.error(MarbleError()))
    }
    source.retry { failures in failures.take(2) }.subscribe { log.append("\($0)") }.dispose()
    #expect(log == ["next(1)", "next(2)", "next(3)", "completed"])
  }

  @Test func `a control value without a failure does nothing`() {
    let m = Marbles()
    let source = m.cold("a---b|")
    m.expect(source.stream.retry { _ in m.hot("-x-x").stream }, "a---b|")
    source.expectSubscriptions("^----!")
  }

  @Test func `disposal before a delayed attempt prevents it`() {
    let m = Marbles()
    let source = m.cold("a#")
    let recording = m.record(source.stream.retry { $0.delay(.milliseconds(300), on: m.clock) })
    m.clock.run(until: .milliseconds(200))
    recording.dispose()
    m.clock.run()
    source.expectSubscriptions("^!")
  }

  @Test func `nothing stays in memory`() {
    expectContract { source, _ in source.retry(0) }
  }
}
