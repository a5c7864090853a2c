import Flow
import FlowTesting
import Testing

@Suite struct ReduceTests {
  @Test func `the last state is emitted at the completion`() {
    let m = Marbles()
    let source = m.cold("-1-2-3-|")
    m.expect(source.stream.compactMap(\.wholeNumberValue).reduce(0, +), "-------(6|)")
    source.expectSubscriptions("^------!")
  }

  @Test func `an empty stream has the initial state, a failure is forwarded, and an open stream has no result`() {
    #expect(events(of: Observable<Int>.empty().reduce(7, +)) == ["7", "completed"])
    let m = Marbles()
    m.expect(m.cold("-1-1#").stream.compactMap(\.wholeNumberValue).reduce(0, +), "----#")
    let n = Marbles()
    n.expect(n.cold("-1-1--").stream.compactMap(\.wholeNumberValue).reduce(0, +), "------")
  }

  @Test func `each subscriber starts from the initial state`() {
    let sum = Observable.of(1, 2, 3).reduce(10) { $0 * 10 + $1 }
    for _ in 0..<2 { #expect(events(of: sum) == ["10123", "completed"]) }
  }

  @Test func `a subscriber that leaves at the state doesn't receive the completion`() {
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var log: [String] = []
    subscription.disposable = source.reduce(0, +).subscribe { event in
      log.append("\(event)")
      subscription.dispose()
    }
    source.onNext(1)
    source.onCompleted()
    #expect(log == ["next(1)"])
  }

  @Test func `a value sent while another is folded is folded first`() {
    let source = PublishSubject<Int>()
    var sums: [Int] = []
    let subscription = source.reduce(0) { sum, value in
      if value == 1 { source.onNext(10) }
      return sum + value
    }.subscribe(onNext: { sums.append($0) })
    source.onNext(1)
    source.onCompleted()
    #expect(sums == [1])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in Observable.merge([source.reduce(0) { count, _ in count + 1 }, source.map { _ in 0 }])
    }
  }
}
