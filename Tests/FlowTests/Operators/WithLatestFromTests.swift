import Flow
import FlowTesting
import Testing

@Suite struct WithLatestFromTests {
  @Test func `each value is combined with the other's latest value`() {
    let m = Marbles()
    let (source, other) = (m.hot("-a--b-c--d|"), m.hot("--1--2--3---"))
    m.expect(source.stream.withLatestFrom(other.stream) { $0 == "b" ? $1 : $1 }, "----1-2--3|")
    source.expectSubscriptions("^---------!")
    other.expectSubscriptions("^---------!")
  }

  @Test func `the other stream is subscribed to first, so its first value counts`() {
    let m = Marbles()
    m.expect(Observable.of("a", "b").withLatestFrom(.just("x")) { Character($0 == "a" ? $1 : $0) }, "(xb|)")
  }

  @Test func `the other's completion changes nothing, its failure ends the result`() {
    let m = Marbles()
    let other = m.hot("1-|")
    m.expect(m.hot("---a-b|").stream.withLatestFrom(other.stream), "---1-1|")
    other.expectSubscriptions("^-!")
    let n = Marbles()
    let source = n.hot("---a-b|")
    n.expect(source.stream.withLatestFrom(n.hot("1---#").stream), "---1#--")
    source.expectSubscriptions("^---!")
  }

  @Test func `after a failure of the other at the subscription, the source isn't subscribed to`() {
    let m = Marbles()
    let source = m.cold("a")
    m.expect(source.stream.withLatestFrom(Observable<Character>.error(MarbleError())), "#")
    source.expectSubscriptions()
  }

  @Test func `a stream can sample itself`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.withLatestFrom(source.asObservable()).subscribe(onNext: { values.append($0) })
    source.onNext(1)
    source.onNext(2)
    #expect(values == [1, 2])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.withLatestFrom(.just(1)) }
    expectContract { source, _ in source.withLatestFrom(Observable<Int>.never().startWith(1)) }
  }
}
