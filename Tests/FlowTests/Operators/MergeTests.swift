import Flow
import FlowTesting
import Testing

@Suite struct MergeTests {
  @Test func `the values of all streams are emitted`() {
    let m = Marbles()
    let (a, b, c) = (m.hot("-a--d-|"), m.hot("--b---|"), m.hot("---c-----|"))
    m.expect(merge(a.stream, b.stream, c.stream), "-abcd----|")
    a.expectSubscriptions("^-----!")
    b.expectSubscriptions("^-----!")
    c.expectSubscriptions("^--------!")
  }

  @Test func `events in the same frame keep the order in which they were emitted`() {
    let m = Marbles()
    let a = m.hot("--(ab)-|")
    let b = m.hot("--(cd)-|")
    m.expect(merge(b.stream, a.stream), "--(abcd)-|")
  }

  @Test func `values at the subscription come in the order of subscription`() {
    let m = Marbles()
    m.expect(.merge([.of("a", "b"), .of("c"), .empty()]), "(abc|)")
  }

  @Test func `the first failure ends the result and the other subscriptions`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-#"), m.hot("--b--c|"))
    m.expect(merge(a.stream, b.stream), "-ab#---")
    b.expectSubscriptions("^--!")
  }

  @Test func `after a failure at the subscription the others aren't subscribed to`() {
    let m = Marbles()
    let b = m.cold("b|")
    m.expect(merge(.error(MarbleError()), b.stream), "#")
    b.expectSubscriptions()
  }

  @Test func `nothing follows a failure, even if its subscriber feeds another source`() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    var log: [String] = []
    let subscription = merge(a.asObservable(), b.asObservable())
      .do(onNext: { log.append("\($0)") }, onError: { _ in b.onNext(2) })
      .subscribe(onError: { _ in log.append("error") })
    a.onError(MarbleError())
    #expect(log == ["error"])
    subscription.dispose()
  }

  @Test func `no streams make an empty one, and a stream that never ends keeps the result open`() {
    Marbles().expect(Observable<Character>.merge([]), "|")
    let m = Marbles()
    m.expect(merge(m.cold("-a|").stream, .never()), "-a---")
  }

  @Test func `disposal at a value prevents all later values`() {
    let m = Marbles()
    let (a, b) = (m.cold("a|"), m.cold("b|"))
    m.expect(merge(.just("x"), a.stream, b.stream).take(1), "(x|)")
    a.expectSubscriptions()
    b.expectSubscriptions()
  }

  @Test func `a stream of streams can be merged`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a---c|"), m.cold("-b-d|"))
    let streams = m.hot("-1-2-|", values: ["1": a.stream, "2": b.stream])
    m.expect(streams.stream.merge(), "--a-b-(cd)|")
    streams.expectSubscriptions("^----!")
    a.expectSubscriptions("-^-----!")
    b.expectSubscriptions("---^---!")
  }

  @Test func `34,000 streams, added at the front or at the end, don't deepen the stack`() {
    let parts = (0..<34_000).map { Observable.just($0) }
    let left = parts.dropFirst().reduce(parts[0]) { merge($0, $1) }
    let right = parts.dropLast().reversed().reduce(parts[33_999]) { merge($1, $0) }
    for stream in [left, right] {
      var (next, isInOrder, ends) = (0, true, 0)
      stream.subscribe { number in
        isInOrder = isInOrder && number == next
        next += 1
      } onCompleted: {
        ends += 1
      }.dispose()
      #expect(isInOrder && next == 34_000 && ends == 1)
    }
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in merge(source, .empty()) }
    expectContract { source, _ in Observable.merge([source]) }
  }
}
