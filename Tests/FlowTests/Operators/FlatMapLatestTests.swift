import Flow
import FlowTesting
import Testing

@Suite struct FlatMapLatestTests {
  @Test func `only the values of the latest stream are emitted`() {
    let m = Marbles()
    let inner = m.cold("-0-1-2|")
    let source = m.hot("-a--b-|")
    m.expect(source.stream.flatMapLatest { _ in inner.stream }, "--0--0-1-2|")
    source.expectSubscriptions("^-----!")
    inner.expectSubscriptions("-^--!", "----^-----!")
  }

  @Test func `the previous stream is left before the next one is made`() {
    var log: [String] = []
    let source = PublishSubject<Int>()
    let subscription = source.flatMapLatest { number in
      log.append("make \(number)")
      return Observable<Int>.never().do(
        onSubscribe: { log.append("subscribe \(number)") }, onDispose: { log.append("leave \(number)") })
    }.subscribe()
    source.onNext(1)
    source.onNext(2)
    subscription.dispose()
    #expect(log == ["make 1", "subscribe 1", "leave 1", "make 2", "subscribe 2", "leave 2"])
  }

  @Test func `streams of one value or none need no subscription, and end the previous stream`() {
    let m = Marbles()
    let long = m.cold("-1-1-1-1-1")
    let streams: [Character: Observable<Character>] = ["a": .just("A"), "b": .empty(), "l": long.stream]
    m.expect(m.cold("-l--a-l--b-|").stream.flatMapLatest { streams[$0] ?? .never() }, "--1-A--1---|")
    long.expectSubscriptions("-^--!", "------^--!")
  }

  @Test func `never keeps the result open, a failure ends it`() {
    let m = Marbles()
    m.expect(m.cold("-a|").stream.flatMapLatest { _ in Observable<Character>.never() }, "------")
    let n = Marbles()
    let source = n.hot("-a-|")
    n.expect(source.stream.flatMapLatest { _ in Observable<Character>.error(MarbleError()) }, "-#--")
    source.expectSubscriptions("^!")
  }

  @Test func `a failure of the source ends the current stream`() {
    let m = Marbles()
    let inner = m.cold("-1-1-1")
    m.expect(m.hot("a---#").stream.flatMapLatest { _ in inner.stream }, "-1-1#---")
    inner.expectSubscriptions("^---!")
  }

  @Test func `a value that arrives while a stream is made replaces that stream`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.flatMapLatest { number in
      if number == 1 { source.onNext(2) }
      return Observable.just(number).concat(.never())
    }.subscribe(onNext: { values.append($0) })
    source.onNext(1)
    #expect(values == [2])
    subscription.dispose()
  }

  @Test func `a value that arrives while another is emitted ends the earlier stream`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.flatMapLatest { number in Observable.of(number, number + 1, number + 2) }
      .subscribe(onNext: { value in
        values.append(value)
        if value == 11 { source.onNext(20) }
      })
    source.onNext(10)
    #expect(values == [10, 11, 20, 21, 22])
    subscription.dispose()
  }

  @Test func `the source may end while a stream is made of its last value`() {
    for stream in [Observable.just(1), .of(1), .empty()] {
      let source = PublishSubject<Int>()
      var isCompleted = false
      let subscription = source.flatMapLatest { _ in
        source.onCompleted()
        return stream
      }.subscribe(onCompleted: { isCompleted = true })
      source.onNext(0)
      #expect(isCompleted)
      subscription.dispose()
    }
  }

  @Test func `switchLatest emits the latest of a stream of streams`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a-a-a-a"), m.cold("-b-b|"))
    m.expect(m.hot("-1--2-|", values: ["1": a.stream, "2": b.stream]).stream.switchLatest(), "--a--b-b|")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.flatMapLatest { .just($0) } }
    expectContract { source, _ in source.flatMapLatest { .of($0) } }
  }
}
