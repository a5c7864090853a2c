import Flow
import FlowTesting
import Testing

@Suite struct TakeTests {
  @Test func `it completes with the last that it takes, and leaves`() {
    let m = Marbles()
    let source = m.cold("-a-b-c-|")
    m.expect(source.stream.take(2), "-a-(b|)----")
    source.expectSubscriptions("^--!")
  }

  @Test func `fewer, a failure before, none`() {
    let m = Marbles()
    m.expect(m.cold("-a|").stream.take(2), "-a|")
    let n = Marbles()
    n.expect(n.cold("-a#").stream.take(2), "-a#")
    let o = Marbles()
    let source = o.cold("a")
    o.expect(source.stream.take(0), "|")
    source.expectSubscriptions()
  }

  @Test func `an endless source at the subscription is stopped`() {
    Marbles().expect(Observable.from(0...).take(3), "(012|)")
  }

  @Test func `a value fed while the last is emitted is not taken`() {
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.take(1).subscribe(
      onNext: { value in
        log.append("\(value)")
        source.onNext(value + 1)
      }, onCompleted: { log.append("completed") })
    source.onNext(1)
    #expect(log == ["1", "completed"])
    #expect(!source.hasObservers)
    subscription.dispose()
  }

  @Test func `a value fed while one before the last is emitted is taken in its place`() {
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.take(2).subscribe(
      onNext: { value in
        if value == 1 { source.onNext(2) }
        log.append("\(value)")
      }, onCompleted: { log.append("completed") })
    source.onNext(1)
    #expect(log == ["2", "completed", "1"])
    subscription.dispose()
  }

  @Test func `the first`() {
    let m = Marbles()
    m.expect(m.cold("-a-b|").stream.first(), "-(a|)")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.take(100) }
  }
}
