import Flow
import FlowTesting
import Testing

@Suite struct ToArrayTests {
  @Test func `all values are emitted at the completion`() {
    let m = Marbles()
    let source = m.cold("-a-b-c|")
    m.expect(source.stream.toArray().map { $0.count }, "------(3|)")
    source.expectSubscriptions("^-----!")
    #expect(events(of: Observable.of(1, 2, 3).toArray()) == ["[1, 2, 3]", "completed"])
  }

  @Test func `an empty stream makes an empty array, a failure is forwarded, and an open stream has no result`() {
    #expect(events(of: Observable<Int>.empty().toArray()) == ["[]", "completed"])
    #expect(events(of: Observable.of(1).concat(.error(MarbleError())).toArray()) == ["MarbleError()"])
    #expect(events(of: Observable.of(1).concat(.never()).toArray()) == [])
  }

  @Test func `each subscriber has its own array`() {
    let array = Observable.of(1, 2).toArray()
    for _ in 0..<2 { #expect(events(of: array) == ["[1, 2]", "completed"]) }
  }

  @Test func `a subscriber that leaves at the array doesn't receive the completion`() {
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var log: [String] = []
    subscription.disposable = source.toArray().subscribe { event in
      log.append("\(event)")
      subscription.dispose()
    }
    source.onNext(1)
    source.onCompleted()
    #expect(log == ["next([1])"])
  }

  @Test func `nothing stays in memory`() {
    expectContract { source, _ in Observable.merge([source.toArray(), source.map { [$0] }]) }
  }
}
