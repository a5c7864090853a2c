import Flow
import FlowTesting
import Testing

@Suite struct ElementAtTests {
  @Test func `the value at the index is emitted, and the source is left`() {
    let m = Marbles()
    let source = m.cold("-a-b-c-d|")
    m.expect(source.stream.element(at: 2), "-----(c|)")
    source.expectSubscriptions("^----!")
    let n = Marbles()
    n.expect(n.cold("-a-b|").stream.element(at: 0), "-(a|)")
  }

  @Test func `too few values are a failure with the index`() {
    #expect(events(of: Observable.of(1, 2).element(at: 2)) == ["OutOfRangeError(index: 2)"])
    #expect(events(of: Observable<Int>.empty().element(at: 0)) == ["OutOfRangeError(index: 0)"])
    #expect(events(of: Observable.of(1, 2).element(at: -1)) == ["OutOfRangeError(index: -1)"])
  }

  @Test func `a failure before the value is forwarded, a later one isn't`() {
    let m = Marbles()
    m.expect(m.cold("-a-#").stream.element(at: 1), "---#")
    let n = Marbles()
    n.expect(n.cold("-a-b#").stream.element(at: 1), "---(b|)")
    let o = Marbles()
    o.expect(o.cold("-a---").stream.element(at: 1), "-----")
  }

  @Test func `a value sent while the result is emitted is ignored`() {
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.element(at: 1).subscribe { event in
      log.append("\(event)")
      if event.element != nil { source.onNext(9) }
    }
    for value in 1...3 { source.onNext(value) }
    #expect(log == ["next(2)", "completed"])
    #expect(!source.hasObservers)
    subscription.dispose()
  }

  @Test func `a subscriber that leaves at the value doesn't receive the completion`() {
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var log: [String] = []
    subscription.disposable = source.element(at: 0).subscribe { event in
      log.append("\(event)")
      subscription.dispose()
    }
    source.onNext(1)
    #expect(log == ["next(1)"])
    #expect(!source.hasObservers)
  }
}
