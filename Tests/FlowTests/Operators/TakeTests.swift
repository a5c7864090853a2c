import Flow
import FlowTesting
import Testing

@Suite struct TakeTests {
  @Test func `the result completes with its last value, and leaves the source`() {
    let m = Marbles()
    let source = m.cold("-a-b-c-|")
    m.expect(source.stream.take(2), "-a-(b|)----")
    source.expectSubscriptions("^--!")
  }

  @Test func `fewer values, an earlier failure and zero values are handled`() {
    let m = Marbles()
    m.expect(m.cold("-a|").stream.take(2), "-a|")
    let n = Marbles()
    n.expect(n.cold("-a#").stream.take(2), "-a#")
    let o = Marbles()
    let source = o.cold("a")
    o.expect(source.stream.take(0), "|")
    source.expectSubscriptions()
  }

  @Test func `an endless source is stopped during the subscription`() {
    Marbles().expect(Observable.from(0...).take(3), "(012|)")
  }

  @Test func `a value sent while the last is emitted is ignored`() {
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

  @Test func `a value sent while an earlier one is emitted counts before it`() {
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

  @Test func `first emits one value`() {
    let m = Marbles()
    m.expect(m.cold("-a-b|").stream.first(), "-(a|)")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.take(100) }
  }
}
