import Flow
import FlowTesting
import Testing

@Suite struct FlatMapTests {
  @Test func `the values of all streams are emitted`() {
    let m = Marbles()
    let inner = m.cold("0-1-2|")
    let source = m.hot("-a--b-|")
    m.expect(source.stream.flatMap { _ in inner.stream }, "-0-1021-2|")
    source.expectSubscriptions("^-----!")
    inner.expectSubscriptions("-^----!", "----^----!")
  }

  @Test func `streams of one value or none need no subscription`() {
    let m = Marbles()
    let streams: [Character: Observable<Character>] = [
      "a": .just("A"), "b": .empty(), "c": .never(), "d": .error(MarbleError()),
    ]
    m.expect(m.cold("-a-b-a|").stream.flatMap { streams[$0] ?? .never() }, "-A---A|")
    let n = Marbles()
    n.expect(n.cold("-a-c-a|").stream.flatMap { streams[$0] ?? .never() }, "-A---A-----")
    let o = Marbles()
    let source = o.cold("-a-d-a|")
    o.expect(source.stream.flatMap { streams[$0] ?? .never() }, "-A-#---")
    source.expectSubscriptions("^--!")
  }

  @Test func `a failure of one stream ends the result`() {
    let m = Marbles()
    let (a, b) = (m.cold("-1-1-1"), m.cold("-2-#"))
    let source = m.hot("ab------", values: ["a": a.stream, "b": b.stream])
    m.expect(source.stream.flatMap { $0 }, "-121#---")
    a.expectSubscriptions("^---!")
    source.expectSubscriptions("^---!")
  }

  @Test func `a failure of the source ends the result`() {
    let m = Marbles()
    let inner = m.cold("-1-1-1")
    let source = m.hot("a---#")
    m.expect(source.stream.flatMap { _ in inner.stream }, "-1-1#---")
    inner.expectSubscriptions("^---!")
  }

  @Test func `the source may end while a stream is made of its last value`() {
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.flatMap { value in
      source.onCompleted()
      return .just(value)
    }.subscribe(onNext: { log.append("\($0)") }, onCompleted: { log.append("completed") })
    source.onNext(1)
    #expect(log == ["1", "completed"])
    subscription.dispose()
  }

  @Test func `disposal ends the source and every stream`() {
    let m = Marbles()
    let inner = m.cold("1---")
    let source = m.hot("ab------")
    let recording = m.record(source.stream.flatMap { _ in inner.stream })
    m.clock.run(until: .milliseconds(500))
    recording.dispose()
    source.expectSubscriptions("^----!")
    inner.expectSubscriptions("^----!", "-^---!")
  }

  @Test func `disposal while a stream is made prevents its subscription`() {
    let m = Marbles()
    let inner = m.cold("1")
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = source.flatMap { _ in
      subscription.dispose()
      return inner.stream
    }.subscribe()
    source.onNext(1)
    inner.expectSubscriptions()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.flatMap { .just($0) } }
    expectContract { source, _ in source.flatMap { .of($0) } }
    expectContract { source, _ in source.flatMap { Observable.just($0).concat(.empty()) } }
  }
}
