import Flow
import FlowTesting
import Testing

/// Tests of the diagrams in the documentation of the operators.
@Suite struct DocumentationTests {
  private let m = Marbles()

  @Test func `flatMap`() {
    let streams = ["a": m.cold("-1---2|").stream, "b": m.cold("-3---4|").stream] as [Character: Observable<Character>]
    m.expect(m.cold("-a-b--|", values: streams).stream.merge(), "--1-3-2-4|")
  }

  @Test func `flatMapLatest`() {
    let streams = ["a": m.cold("-1-2-3-4").stream, "b": m.cold("-1-2|").stream] as [Character: Observable<Character>]
    m.expect(m.cold("-a----b-----|", values: streams).stream.switchLatest(), "--1-2--1-2--|")
  }

  @Test func `flatMapFirst`() {
    let streams = ["a": m.cold("-1-2|").stream, "c": m.cold("-5|").stream] as [Character: Observable<Character>]
    m.expect(m.cold("-a-b---c-|").stream.flatMapFirst { streams[$0] ?? .never() }, "--1-2---5|")
  }

  @Test func `concatMap`() {
    let streams = ["a": m.cold("1--2|").stream, "b": m.cold("3--4|").stream] as [Character: Observable<Character>]
    m.expect(m.cold("-a-b-|", values: streams).stream.concat(), "-1--23--4|")
  }

  @Test func `withLatestFrom`() {
    let (source, other) = (m.hot("-a--b-c--d|"), m.hot("--1----2---"))
    let letters = m.record(source.stream.withLatestFrom(other.stream) { letter, _ in letter })
    let digits = m.record(source.stream.withLatestFrom(other.stream))
    m.clock.run()
    letters.expect("----b-c--d|")
    digits.expect("----1-1--2|")
  }

  @Test func `debounce`() {
    m.expect(m.cold("-ab----c---|").stream.debounce(.milliseconds(300), on: m.clock), "-----b----c|")
  }

  @Test func `throttle`() {
    let source = m.hot("-abc----d|").stream
    let first = m.record(source.throttle(.milliseconds(300), latest: false, on: m.clock))
    let latest = m.record(source.throttle(.milliseconds(300), latest: true, on: m.clock))
    m.clock.run()
    first.expect("-a------d|")
    latest.expect("-a--c---d|")
  }

  @Test func `delay`() {
    m.expect(m.cold("-a-b|").stream.delay(.milliseconds(200), on: m.clock), "---a-b|")
  }

  @Test func `merge`() {
    m.expect(Flow.merge(m.cold("-a---c-|").stream, m.cold("---b----d|").stream), "-a-b-c--d|")
  }

  @Test func `merge at most`() {
    let (a, b, c) = (m.cold("-1----|"), m.cold("-2-|"), m.cold("-3|"))
    let source = m.cold("-a-b-c|", values: ["a": a.stream, "b": b.stream, "c": c.stream])
    m.expect(source.stream.merge(maxConcurrent: 2), "--1-2--3|")
    c.expectSubscriptions("------^-!")
  }

  @Test func `takeUntil`() {
    m.expect(m.cold("-a-b-c-d").stream.takeUntil(m.cold("----x").stream), "-a-b|")
  }
}
