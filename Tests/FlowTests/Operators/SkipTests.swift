import Flow
import FlowTesting
import Testing

@Suite struct SkipTests {
  @Test(arguments: [(0, "-a-b-c|"), (1, "---b-c|"), (3, "------|"), (9, "------|")])
  func `the first values are dropped`(count: Int, expected: String) {
    let m = Marbles()
    m.expect(m.cold("-a-b-c|").stream.skip(count), Diagram(expected))
  }

  @Test func `values are dropped until the first that fails the condition, later ones aren't`() {
    let m = Marbles()
    let source = m.cold("-1-2-5-1|")
    m.expect(source.stream.skip { $0 < "3" }, "-----5-1|")
    source.expectSubscriptions("^-------!")
  }

  @Test func `skip works with empty streams, with no matching values and with failures`() {
    Marbles().expect(Observable<Int>.empty().skip { _ in true }, "|")
    let m = Marbles()
    m.expect(m.cold("-1-2|").stream.skip { _ in true }, "----|")
    let n = Marbles()
    n.expect(n.cold("-1-2|").stream.skip { _ in false }, "-1-2|")
    let o = Marbles()
    o.expect(o.cold("-1#").stream.skip { _ in true }, "--#")
    Marbles().expect(Observable<Int>.never().skip { _ in true }, "---")
  }

  @Test func `the condition is checked up to the first value that doesn't satisfy it`() {
    var asked: [Int] = []
    let stream = Observable.of(1, 2, 3, 1).skip { value in
      asked.append(value)
      return value < 2
    }
    #expect(events(of: stream) == ["2", "3", "1", "completed"])
    #expect(events(of: stream) == ["2", "3", "1", "completed"])
    #expect(asked == [1, 2, 1, 2])
  }

  @Test func `a value sent while the condition is checked passes by itself`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.skip { value in
      if value == 1 { source.onNext(2) }
      return value == 1
    }.subscribe(onNext: { values.append($0) })
    source.onNext(1)
    source.onNext(1)
    #expect(values == [2, 1])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.skip { _ in false } }
    expectContract { source, _ in source.skip(0) }
  }
}
