import Flow
import FlowTesting
import Testing

@Suite struct CombineLatestTests {
  private func text(_ marks: Character...) -> Int {
    marks.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }
  }

  @Test func `each value is combined with the latest of the other stream`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1---2--|"), m.hot("--3-4--5---|"))
    let recording = m.record(
      Observable.combineLatest(a.stream, b.stream) { text($0, $1) }, values: ["a": 13, "b": 14, "c": 24, "d": 25])
    m.clock.run()
    recording.expect("--a-bc-d---|")
    a.expectSubscriptions("^-------!")
    b.expectSubscriptions("^----------!")
  }

  @Test func `three and four streams can be combined`() {
    let streams = [1, 2, 3, 4].map { Observable.just($0) }
    var sums: [Int] = []
    let three = Observable.combineLatest(streams[0], streams[1], streams[2]) { $0 + $1 * 10 + $2 * 100 }
    let four = Observable.combineLatest(streams[0], streams[1], streams[2], streams[3]) {
      $0 + $1 * 10 + $2 * 100 + $3 * 1000
    }
    let tuples = Observable.combineLatest(streams[0], streams[1], streams[2], streams[3]).map {
      $0.0 + $0.1 + $0.2 + $0.3
    }
    for stream in [
      three, four, tuples, Observable.combineLatest(streams[0], streams[1], streams[2]).map { $0.0 + $0.2 },
    ] {
      stream.subscribe(onNext: { sums.append($0) }).dispose()
    }
    #expect(sums == [321, 4321, 10, 4])
  }

  @Test func `a stream that completes without a value ends the result`() {
    let m = Marbles()
    let b = m.hot("-1-2-3-")
    m.expect(Observable.combineLatest(m.hot("--|").stream, b.stream) { text($0, $1) }, "--|---", by: { _ in "?" })
    b.expectSubscriptions("^-!")
  }

  @Test func `a failure ends the result and the other subscription`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-#"), m.hot("-2--2-2"))
    m.expect(Observable.combineLatest(a.stream, b.stream) { text($0, $1) }, "-x-#---", by: { _ in "x" })
    b.expectSubscriptions("^--!")
  }

  @Test func `combining a stream with itself emits both steps`() {
    let source = PublishSubject<Int>()
    var pairs: [[Int]] = []
    let subscription = Observable.combineLatest(source.asObservable(), source.map { $0 * 10 })
      .subscribe(onNext: { pairs.append([$0.0, $0.1]) })
    source.onNext(1)
    source.onNext(2)
    #expect(pairs == [[1, 10], [2, 10], [2, 20]])
    subscription.dispose()
  }

  @Test func `methods and static functions have the same results`() {
    let (a, b) = (Observable.of(1, 2), Observable.of(3, 4))
    let pairs = ["(2, 3)", "(2, 4)", "completed"]
    #expect(events(of: a.combineLatest(b)) == pairs)
    #expect(events(of: Observable.combineLatest(a, b)) == pairs)
    #expect(events(of: a.combineLatest(b) { $0 * 10 + $1 }) == ["23", "24", "completed"])
    #expect(events(of: Observable.combineLatest(a, b) { $0 * 10 + $1 }) == ["23", "24", "completed"])
    #expect(events(of: Observable.combineLatest(a, b, a) { "\($0)\($1)\($2)" }) == ["241", "242", "completed"])
    #expect(events(of: Observable.combineLatest(a, b, a).map(\.2)) == ["1", "2", "completed"])
    let four = Observable.combineLatest(a, b, BehaviorSubject("x"), Observable.just(true))
    #expect(events(of: four.map { "\($0.0)\($0.1)\($0.2)\($0.3)" }) == ["24xtrue"])
    let text = Observable.combineLatest(a, b, BehaviorSubject("x"), Observable.just(true)) { "\($0)\($1)\($2)\($3)" }
    #expect(events(of: text) == ["24xtrue"])
  }

  @Test func `many streams can be combined`() {
    let m = Marbles()
    let sources = [m.hot("-1---2--|"), m.hot("--3-4--5---|"), m.hot("---6-----|")]
    let recording = m.record(
      Observable.combineLatest(sources) { text($0[0], $0[1], $0[2]) },
      values: ["a": 136, "b": 146, "c": 246, "d": 256])
    m.clock.run()
    recording.expect("---abc-d---|")
    for (source, end) in Swift.zip(sources, ["^-------!", "^----------!", "^--------!"] as [Diagram]) {
      source.expectSubscriptions(end)
    }
    #expect(events(of: .combineLatest([Observable.of(1, 2), .of(3)])) == ["[2, 3]", "completed"])
    #expect(events(of: .combineLatest([BehaviorSubject(1), BehaviorSubject(2)])) == ["[1, 2]"])
  }

  @Test func `no streams combine to an empty array, one stream to its values`() {
    #expect(events(of: .combineLatest([Observable<Int>]())) == ["[]", "completed"])
    #expect(events(of: .combineLatest([Observable<Int>]()) { $0.reduce(7, +) }) == ["7", "completed"])
    #expect(events(of: .combineLatest([Observable.of(1, 2)])) == ["[1]", "[2]", "completed"])
  }

  @Test func `of many streams, one without a value ends the result, and so does a failure`() {
    for (last, expected) in [("--|", "--|--"), ("--#", "--#--")] {
      let m = Marbles()
      let (first, second) = (m.hot("-1-2-3-"), m.hot(Diagram(last)))
      m.expect(Observable.combineLatest([first, second]) { text($0[1]) }, Diagram(expected), by: { _ in "?" })
      first.expectSubscriptions("^-!")
    }
    let m = Marbles()
    let away = m.cold("1")
    m.expect(Observable.combineLatest([Observable.error(MarbleError()), away.stream]).map(\.count), "#")
    away.expectSubscriptions()
  }

  @Test func `of many streams, a value sent while another is combined is combined first`() {
    let sources = [BehaviorSubject(1), BehaviorSubject(2)]
    var log: [[Int]] = []
    let subscription = Observable.combineLatest(sources).subscribe(onNext: { values in
      if values == [5, 2] { sources[1].onNext(6) }
      log.append(values)
    })
    sources[0].onNext(5)
    #expect(log == [[1, 2], [5, 6], [5, 2]])
    subscription.dispose()
    #expect(sources.allSatisfy { !$0.hasObservers })
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in Observable.combineLatest([source, .just(Token("x", Token.Count()))]) }
    expectContract { source, _ in Observable.combineLatest(source, .just(1)) }
    expectContract { source, _ in Observable.combineLatest(Observable.just(1), source) }
  }
}
