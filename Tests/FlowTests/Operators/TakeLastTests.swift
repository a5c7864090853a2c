import Flow
import FlowTesting
import Testing

@Suite struct TakeLastTests {
  @Test(arguments: [(0, "------|"), (1, "------(c|)"), (2, "------(bc|)"), (3, "------(abc|)"), (9, "------(abc|)")])
  func `the last values are emitted at the completion, in order`(count: Int, expected: String) {
    let m = Marbles()
    let source = m.cold("-a-b-c|")
    m.expect(source.stream.takeLast(count), Diagram(expected))
    source.expectSubscriptions("^-----!")
  }

  @Test func `an empty stream has no last values, and a failure drops pending values`() {
    #expect(events(of: Observable<Int>.empty().takeLast(2)) == ["completed"])
    #expect(events(of: Observable.of(1, 2).takeLast(-1)) == ["completed"])
    let m = Marbles()
    m.expect(m.cold("-a-b#").stream.takeLast(1), "----#")
    let n = Marbles()
    n.expect(n.cold("-a-b--").stream.takeLast(1), "------")
  }

  @Test func `disposal at one of the values prevents the others`() {
    #expect(events(of: Observable.of(1, 2, 3).takeLast(3).take(2)) == ["1", "2", "completed"])
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var values: [Int] = []
    subscription.disposable = source.takeLast(2).subscribe(onNext: { value in
      values.append(value)
      subscription.dispose()
    })
    for value in 1...3 { source.onNext(value) }
    source.onCompleted()
    #expect(values == [2])
  }

  @Test func `nothing stays in memory`() {
    expectContract { source, _ in Observable.merge([source.takeLast(1), source]) }
  }
}
