import Flow
import FlowTesting
import Testing

@Suite struct ZipTests {
  @Test func `the nth values are combined`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-b-c---"), m.hot("--1----2--3|"))
    m.expect(Observable.zip(a.stream, b.stream) { $0 == "a" ? $0 : $1 }, "--a----2--3|")
  }

  @Test func `the result completes when one stream has completed and its values are used up`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-b|"), m.hot("--1----2-3-"))
    m.expect(Observable.zip(a.stream, b.stream) { $1 }, "--1----(2|)---")
    a.expectSubscriptions("^---!")
    b.expectSubscriptions("^------!")
    let n = Marbles()
    n.expect(Observable.zip(n.hot("-a|").stream, n.hot("1--2").stream) { $1 }, "-1|")
  }

  @Test func `three and four streams can be zipped`() {
    let digits = (1...4).map { digit in Observable.of(digit, digit + 4) }
    var sums: [Int] = []
    let three = Observable.zip(digits[0], digits[1], digits[2]) { $0 + $1 * 10 + $2 * 100 }
    let four = Observable.zip(digits[0], digits[1], digits[2], digits[3]) { $0 + $1 * 10 + $2 * 100 + $3 * 1000 }
    let tuples = Observable.zip(digits[0], digits[1], digits[2], digits[3]).map { $0.0 + $0.1 + $0.2 + $0.3 }
    for stream in [three, four, tuples, Observable.zip(digits[0], digits[1], digits[2]).map { $0.0 + $0.2 }] {
      stream.subscribe(onNext: { sums.append($0) }).dispose()
    }
    #expect(sums == [321, 765, 4321, 8765, 10, 26, 4, 12])
  }

  @Test func `a failure ends the result and the other subscription`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-#"), m.hot("-2--2-2"))
    m.expect(Observable.zip(a.stream, b.stream) { $1 }, "-2-#---")
    b.expectSubscriptions("^--!")
  }

  @Test func `methods and static functions have the same results`() {
    let (a, b) = (Observable.of(1, 2), Observable.of(3, 4))
    let pairs = ["(1, 3)", "(2, 4)", "completed"]
    #expect(events(of: a.zip(b)) == pairs)
    #expect(events(of: Observable.zip(a, b)) == pairs)
    #expect(events(of: a.zip(b) { $0 * 10 + $1 }) == ["13", "24", "completed"])
    #expect(events(of: Observable.zip(a, b) { $0 * 10 + $1 }) == ["13", "24", "completed"])
    #expect(events(of: Observable.zip(a, b, a) { "\($0)\($1)\($2)" }) == ["131", "242", "completed"])
    #expect(events(of: Observable.zip(a, b, a).map(\.2)) == ["1", "2", "completed"])
    let four = Observable.zip(a, b, BehaviorSubject("x"), Observable.just(true))
    #expect(events(of: four.map { "\($0.0)\($0.1)\($0.2)\($0.3)" }) == ["13xtrue", "completed"])
    let text = Observable.zip(a, b, BehaviorSubject("x"), Observable.just(true)) { "\($0)\($1)\($2)\($3)" }
    #expect(events(of: text) == ["13xtrue", "completed"])
  }

  @Test func `many streams can be zipped`() {
    let m = Marbles()
    let sources = [m.hot("-a-b-c---"), m.hot("--1----2--3|"), m.hot("x-y-z-----")]
    m.expect(Observable.zip(sources) { $0[0] == "a" ? $0[0] : $0[1] }, "--a----2--3|")
    sources[1].expectSubscriptions("^----------!")
    #expect(events(of: .zip([Observable.of(1, 2), .of(3, 4), .of(5)])) == ["[1, 3, 5]", "completed"])
    #expect(events(of: .zip([BehaviorSubject(1), BehaviorSubject(2)])) == ["[1, 2]"])
  }

  @Test func `no streams make an empty one, one stream makes arrays of one value`() {
    #expect(events(of: .zip([Observable<Int>]())) == ["completed"])
    #expect(events(of: .zip([Observable.of(1, 2)])) == ["[1]", "[2]", "completed"])
  }

  @Test func `of many streams, the result completes when one has completed and its values are used up`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-1|"), m.hot("--2----2-2-"))
    m.expect(Observable.zip([a, b]) { $0[1] }, "--2----(2|)---")
    a.expectSubscriptions("^---!")
    b.expectSubscriptions("^------!")
    let n = Marbles()
    let away = n.cold("1")
    n.expect(Observable.zip([Observable.empty(), away.stream]) { $0[1] }, "|")
    away.expectSubscriptions()
  }

  @Test func `of many streams, a failure ends the result and the others`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-#"), m.hot("-2--2-2"))
    m.expect(Observable.zip([a, b]) { $0[1] }, "-2-#---")
    b.expectSubscriptions("^--!")
  }

  @Test func `of many streams, values sent while some are combined are combined first`() {
    let sources = [PublishSubject<Int>(), PublishSubject<Int>()]
    var log: [[Int]] = []
    let subscription = Observable.zip(sources).subscribe(onNext: { values in
      if values == [1, 2] { for source in sources { source.onNext(3) } }
      log.append(values)
    })
    sources[0].onNext(1)
    sources[1].onNext(2)
    #expect(log == [[3, 3], [1, 2]])
    subscription.dispose()
    #expect(sources.allSatisfy { !$0.hasObservers })
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in Observable.zip([source, .from((0..<100).map { _ in Token("x", Token.Count()) })]) }
    expectContract { source, _ in Observable.zip(source, .from(0..<100)) }
    expectContract { source, _ in Observable.zip(Observable.from(0..<100), source) }
  }
}
