import Flow
import FlowTesting
import Testing

@Suite struct TakeUntilTests {
  @Test func `the result completes when the other stream emits, and both are left`() {
    let m = Marbles()
    let (source, other) = (m.hot("-a-b-c-d|"), m.hot("----x-x-|"))
    m.expect(source.stream.takeUntil(other.stream), "-a-b|----")
    source.expectSubscriptions("^---!")
    other.expectSubscriptions("^---!")
  }

  @Test func `the other stream's completion is ignored, its failure isn't`() {
    let m = Marbles()
    let other = m.hot("-|")
    m.expect(m.hot("-a-b-|").stream.takeUntil(other.stream), "-a-b-|")
    other.expectSubscriptions("^!")
    let n = Marbles()
    n.expect(n.hot("-a-b-|").stream.takeUntil(n.hot("--#").stream), "-a#---")
  }

  @Test func `if the other stream emits at the subscription, the source isn't subscribed to`() {
    let m = Marbles()
    let source = m.cold("a")
    m.expect(source.stream.takeUntil(.just(1)), "|")
    source.expectSubscriptions()
  }

  @Test func `in the same frame, the other stream comes first if it was drawn first`() {
    let m = Marbles()
    let other = m.hot("--x")
    m.expect(m.hot("--a|").stream.takeUntil(other.stream), "--|-")
  }

  @Test func `a stream can end itself`() {
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.takeUntil(source.skip(1))
      .subscribe(onNext: { log.append("\($0)") }, onCompleted: { log.append("completed") })
    source.onNext(1)
    source.onNext(2)
    #expect(log == ["1", "completed"])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.takeUntil(Observable<Int>.never()) }
    expectContract { source, _ in source.takeUntil(Observable<Int>.empty()) }
  }
}
