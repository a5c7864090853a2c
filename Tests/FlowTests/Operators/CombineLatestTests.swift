import Flow
import FlowTesting
import Testing

@Suite struct CombineLatestTests {
  private func text(_ marks: Character...) -> Int {
    marks.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }
  }

  @Test func `each value is joined with the latest of the other`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1---2--|"), m.hot("--3-4--5---|"))
    let recording = m.record(
      combineLatest(a.stream, b.stream) { text($0, $1) }, values: ["a": 13, "b": 14, "c": 24, "d": 25])
    m.clock.run()
    recording.expect("--a-bc-d---|")
    a.expectSubscriptions("^-------!")
    b.expectSubscriptions("^----------!")
  }

  @Test func `three and four`() {
    let streams = [1, 2, 3, 4].map { Observable.just($0) }
    var sums: [Int] = []
    let three = combineLatest(streams[0], streams[1], streams[2]) { $0 + $1 * 10 + $2 * 100 }
    let four = combineLatest(streams[0], streams[1], streams[2], streams[3]) { $0 + $1 * 10 + $2 * 100 + $3 * 1000 }
    let tuples = combineLatest(streams[0], streams[1], streams[2], streams[3]).map { $0.0 + $0.1 + $0.2 + $0.3 }
    for stream in [three, four, tuples, combineLatest(streams[0], streams[1], streams[2]).map { $0.0 + $0.2 }] {
      stream.subscribe(onNext: { sums.append($0) }).dispose()
    }
    #expect(sums == [321, 4321, 10, 4])
  }

  @Test func `one that completes without a value leaves nothing to wait for`() {
    let m = Marbles()
    let b = m.hot("-1-2-3-")
    m.expect(combineLatest(m.hot("--|").stream, b.stream) { text($0, $1) }, "--|---", by: { _ in "?" })
    b.expectSubscriptions("^-!")
  }

  @Test func `a failure ends it and leaves the other`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-#"), m.hot("-2--2-2"))
    m.expect(combineLatest(a.stream, b.stream) { text($0, $1) }, "-x-#---", by: { _ in "x" })
    b.expectSubscriptions("^--!")
  }

  @Test func `the same stream twice emits both steps`() {
    let source = PublishSubject<Int>()
    var pairs: [[Int]] = []
    let subscription = combineLatest(source.asObservable(), source.map { $0 * 10 })
      .subscribe(onNext: { pairs.append([$0.0, $0.1]) })
    source.onNext(1)
    source.onNext(2)
    #expect(pairs == [[1, 10], [2, 10], [2, 20]])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in combineLatest(source, .just(1)) }
    expectContract { source, _ in combineLatest(Observable.just(1), source) }
  }
}
