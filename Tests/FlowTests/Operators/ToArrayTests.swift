import Flow
import FlowTesting
import Testing

@Suite struct ToArrayTests {
  @Test func `all values come with the completion`() {
    let m = Marbles()
    let source = m.cold("-a-b-c|")
    m.expect(source.stream.toArray().map { $0.count }, "------(3|)")
    source.expectSubscriptions("^-----!")
    #expect(events(of: Observable.of(1, 2, 3).toArray()) == ["[1, 2, 3]", "completed"])
  }

  @Test func `none are an empty array, a failure passes, and what does not end has none`() {
    #expect(events(of: Observable<Int>.empty().toArray()) == ["[]", "completed"])
    #expect(events(of: Observable.of(1).concat(.error(MarbleError())).toArray()) == ["MarbleError()"])
    #expect(events(of: Observable.of(1).concat(.never()).toArray()) == [])
  }

  @Test func `each subscriber has its own`() {
    let array = Observable.of(1, 2).toArray()
    for _ in 0..<2 { #expect(events(of: array) == ["[1, 2]", "completed"]) }
  }

  @Test func `disposal by the array keeps the completion away`() {
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

  @Test func `leaves nothing in memory`() {
    expectContract { source, _ in Observable.merge([source.toArray(), source.map { [$0] }]) }
  }
}
