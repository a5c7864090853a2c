import Flow
import FlowTesting
import Testing

@Suite struct MergeTests {
  @Test func `what any of them emits is emitted`() {
    let m = Marbles()
    let (a, b, c) = (m.hot("-a--d-|"), m.hot("--b---|"), m.hot("---c-----|"))
    m.expect(merge(a.stream, b.stream, c.stream), "-abcd----|")
    a.expectSubscriptions("^-----!")
    b.expectSubscriptions("^-----!")
    c.expectSubscriptions("^--------!")
  }

  @Test func `in the same frame, in the order in which they emitted`() {
    let m = Marbles()
    let a = m.hot("--(ab)-|")
    let b = m.hot("--(cd)-|")
    m.expect(merge(b.stream, a.stream), "--(abcd)-|")
  }

  @Test func `values that come at the subscription come in order of subscription`() {
    let m = Marbles()
    m.expect(.merge([.of("a", "b"), .of("c"), .empty()]), "(abc|)")
  }

  @Test func `the first failure ends it and leaves the others`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-#"), m.hot("--b--c|"))
    m.expect(merge(a.stream, b.stream), "-ab#---")
    b.expectSubscriptions("^--!")
  }

  @Test func `a failure at the subscription keeps it from the others`() {
    let m = Marbles()
    let b = m.cold("b|")
    m.expect(merge(.error(MarbleError()), b.stream), "#")
    b.expectSubscriptions()
  }

  @Test func `nothing follows a failure, though its subscriber feeds another source`() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    var log: [String] = []
    let subscription = merge(a.asObservable(), b.asObservable())
      .do(onNext: { log.append("\($0)") }, onError: { _ in b.onNext(2) })
      .subscribe(onError: { _ in log.append("error") })
    a.onError(MarbleError())
    #expect(log == ["error"])
    subscription.dispose()
  }

  @Test func `of none is empty, and with one that never ends never ends`() {
    Marbles().expect(Observable<Character>.merge([]), "|")
    let m = Marbles()
    m.expect(merge(m.cold("-a|").stream, .never()), "-a---")
  }

  @Test func `disposal by a value keeps the rest away`() {
    let m = Marbles()
    let (a, b) = (m.cold("a|"), m.cold("b|"))
    m.expect(merge(.just("x"), a.stream, b.stream).take(1), "(x|)")
    a.expectSubscriptions()
    b.expectSubscriptions()
  }

  @Test func `a stream of streams`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a---c|"), m.cold("-b-d|"))
    let streams = m.hot("-1-2-|", values: ["1": a.stream, "2": b.stream])
    m.expect(streams.stream.merge(), "--a-b-(cd)|")
    streams.expectSubscriptions("^----!")
    a.expectSubscriptions("-^-----!")
    b.expectSubscriptions("---^---!")
  }

  @Test func `so many, hung to the left or to the right, do not deepen the stack`() {
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
