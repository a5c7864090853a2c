import Flow
import FlowTesting
import Testing

@Suite struct ThrottleTests {
  @Test func `the first value passes, later ones wait for the interval`() {
    let m = Marbles()
    let source = m.hot("-ab-cd--e----f|")
    m.expect(source.stream.throttle(.milliseconds(300), latest: false, on: m.clock), "-a--c---e----f|")
    source.expectSubscriptions("^-------------!")
  }

  @Test func `a value exactly one interval later passes, a nanosecond earlier doesn't`() {
    let clock = VirtualScheduler()
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.throttle(.seconds(1), latest: false, on: clock).subscribe(onNext: { values.append($0) })
    source.onNext(1)
    clock.advance(by: .seconds(1) - .nanoseconds(1))
    source.onNext(2)
    clock.advance(by: .nanoseconds(1))
    source.onNext(3)
    #expect(values == [1, 3])
    subscription.dispose()
  }

  @Test func `the latest suppressed value is emitted after the interval`() {
    let m = Marbles()
    m.expect(
      m.hot("-abc------d-e---|").stream.throttle(.milliseconds(300), latest: true, on: m.clock), "-a--c-----d--e--|")
  }

  @Test func `the latest suppressed value starts a new interval`() {
    let m = Marbles()
    m.expect(m.hot("-abcdefg---|").stream.throttle(.milliseconds(300), latest: true, on: m.clock), "-a--d--g---|")
  }

  @Test func `a value exactly at the end of the interval replaces the suppressed one`() {
    let clock = VirtualScheduler()
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.throttle(.seconds(1), latest: true, on: clock).subscribe(onNext: { values.append($0) })
    let last = clock.schedule(after: .seconds(1)) { source.onNext(3) }
    source.onNext(1)
    source.onNext(2)
    clock.advance(by: .seconds(1))
    source.onNext(4)
    #expect(values == [1, 3])
    clock.advance(by: .milliseconds(999))
    #expect(values == [1, 3])
    clock.advance(by: .milliseconds(1))
    #expect(values == [1, 3, 4])
    subscription.dispose()
    last.dispose()
  }

  @Test func `completion waits for the suppressed value, failure doesn't`() {
    let m = Marbles()
    m.expect(m.hot("-ab|").stream.throttle(.milliseconds(500), latest: true, on: m.clock), "-a----(b|)")
    let n = Marbles()
    n.expect(n.hot("-ab#").stream.throttle(.milliseconds(500), latest: true, on: n.clock), "-a-#------")
    let o = Marbles()
    o.expect(o.hot("-ab|").stream.throttle(.milliseconds(500), latest: false, on: o.clock), "-a-|------")
  }

  @Test func `disposal drops the suppressed value`() {
    let m = Marbles()
    let source = m.hot("-ab----")
    let recording = m.record(source.stream.throttle(.milliseconds(500), latest: true, on: m.clock))
    m.clock.run(until: .milliseconds(300))
    recording.dispose()
    m.clock.run()
    recording.expect("-a")
    source.expectSubscriptions("^--!")
    #expect(m.clock.timers.nextDue == nil)
  }

  @Test func `keeps the contract`() {
    expectContract { source, clock in source.throttle(.milliseconds(10), latest: false, on: clock) }
    expectContract { source, clock in source.throttle(.milliseconds(10), latest: true, on: clock) }
  }
}
