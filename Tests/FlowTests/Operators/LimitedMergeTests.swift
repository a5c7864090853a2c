import Flow
import FlowTesting
import Testing

@Suite struct LimitedMergeTests {
  @Test func `only a limited number of streams run, and the others wait`() {
    let m = Marbles()
    let (a, b, c) = (m.cold("-1-2|"), m.cold("-3|"), m.cold("-4|"))
    let source = m.hot("-a-b-c|", values: ["a": a.stream, "b": b.stream, "c": c.stream])
    m.expect(source.stream.merge(maxConcurrent: 2), "--1-(23)-4|")
    source.expectSubscriptions("^-----!")
  }

  @Test func `a limit of one is concat, a high limit is merge`() {
    for (limit, expected) in [(1, "-1-21-21-2|"), (0, "-1-21-21-2|"), (9, "-(111)-(222)|")] {
      let m = Marbles()
      let inner = m.cold("1-2|").stream
      m.expect(m.hot("-(aaa)|", values: ["a": inner]).stream.merge(maxConcurrent: limit), Diagram(expected))
    }
  }

  @Test func `a waiting stream isn't subscribed to`() {
    let m = Marbles()
    let inner = m.cold("---1|")
    let source = m.hot("(aaa)-|", values: ["a": inner.stream])
    m.expect(source.stream.merge(maxConcurrent: 2), "---(11)---1|")
    source.expectSubscriptions("^-!")
    inner.expectSubscriptions("^---!", "^---!", "----^---!")
  }

  @Test func `the first failure of the source or any stream ends the result`() {
    let m = Marbles()
    let (inner, waiting) = (m.cold("-1-#"), m.cold("1|"))
    let source = m.hot("(aab)---", values: ["a": inner.stream, "b": waiting.stream])
    m.expect(source.stream.merge(maxConcurrent: 2), "-(11)-#---")
    waiting.expectSubscriptions()
    source.expectSubscriptions("^--!")
    let n = Marbles()
    let long = n.cold("1-1-1-1")
    n.expect(n.hot("a-#", values: ["a": long.stream]).stream.merge(maxConcurrent: 2), "1-#---")
    long.expectSubscriptions("^-!")
  }

  @Test func `disposal ends the source and the running streams, and starts no other`() {
    let m = Marbles()
    let (open, waiting) = (m.cold("1---"), m.cold("1|"))
    let source = m.hot("(aab)---", values: ["a": open.stream, "b": waiting.stream])
    let recording = m.record(source.stream.merge(maxConcurrent: 2))
    m.clock.run(until: .milliseconds(200))
    recording.dispose()
    source.expectSubscriptions("^-!")
    open.expectSubscriptions("^-!", "^-!")
    waiting.expectSubscriptions()
  }

  @Test func `a stream that arrives while another starts is started within, if the limit allows it`() {
    for (limit, expected) in [(1, [1, 2, 10]), (2, [1, 10, 2])] {
      let source = PublishSubject<Observable<Int>>()
      var values: [Int] = []
      let subscription = source.merge(maxConcurrent: limit).subscribe(onNext: { value in
        values.append(value)
        if value == 1 { source.onNext(.just(10)) }
      })
      source.onNext(.of(1, 2))
      #expect(values == expected)
      subscription.dispose()
    }
  }

  @Test func `the source may end while its last stream starts, and while others wait`() {
    let source = PublishSubject<Observable<Int>>()
    let gate = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.merge(maxConcurrent: 2).subscribe { log.append("\($0)") }
    source.onNext(gate.asObservable())
    source.onNext(gate.asObservable())
    source.onNext(.of(7, 8))
    source.onCompleted()
    gate.onNext(1)
    gate.onCompleted()
    #expect(log == ["next(1)", "next(1)", "next(7)", "next(8)", "completed"])
    subscription.dispose()
  }

  @Test func `a hundred thousand streams that end immediately don't deepen the stack`() {
    let gate = PublishSubject<Int>()
    var count = 0
    let streams = Observable.from(0..<100_000).map { $0 < 2 ? gate.asObservable() : .just($0) }
    let subscription = streams.merge(maxConcurrent: 2).subscribe(onNext: { _ in count += 1 })
    gate.onCompleted()
    #expect(count == 99_998)
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    for limit in 1...2 {
      expectContract { source, _ in source.map { .just($0) }.merge(maxConcurrent: limit) }
      expectContract { source, _ in source.map { .of($0) }.merge(maxConcurrent: limit) }
    }
  }
}
