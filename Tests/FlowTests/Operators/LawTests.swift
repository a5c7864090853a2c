import Flow
import FlowTesting
import Randomness
import Testing

/// Laws that hold for all streams, tested with random ones.
@Suite struct LawTests {
  /// Two streams that must emit the same events.
  private typealias Law = (Observable<Int>, Observable<Int>, VirtualScheduler) -> (Observable<Int>, Observable<Int>)

  private let laws: [(name: String, law: Law)] = [
    ("maps fuse", { a, _, _ in (a.map { $0 + 1 }.map { $0 * 2 }, a.map { ($0 + 1) * 2 }) }),
    ("filters fuse", { a, _, _ in (a.filter { $0 > 2 }.filter { $0 % 2 == 0 }, a.filter { $0 > 2 && $0 % 2 == 0 }) }),
    ("compactMap is map and filter", { a, _, _ in (a.compactMap { $0 > 4 ? $0 : nil }, a.filter { $0 > 4 }) }),
    ("both scans are one", { a, _, _ in (a.scan(0, +), a.scan(into: 0) { $0 += $1 }) }),
    ("flatMap to one value is map", { a, _, _ in (a.flatMap { .just($0 + 1) }, a.map { $0 + 1 }) }),
    ("flatMap needs no shortcut", { a, _, _ in (a.flatMap { .just($0) }, a.flatMap { .of($0) }) }),
    ("flatMapLatest needs no shortcut", { a, _, _ in (a.flatMapLatest { .just($0) }, a.flatMapLatest { .of($0) }) }),
    (
      "of what ends at once all flat maps are one",
      { a, _, _ in (a.flatMapFirst { .of($0, 1) }, a.concatMap { .of($0, 1) }) }
    ),
    (
      "the latest of what ends at once is all",
      { a, _, _ in (a.flatMapLatest { .of($0, 1) }, a.flatMap { .of($0, 1) }) }
    ),
    ("merge with nothing", { a, _, _ in (merge(a, .empty()), a) }),
    ("concat with nothing", { a, _, _ in (Observable.empty().concat(a).concat(.empty()), a) }),
    ("startWith is concat", { a, _, _ in (a.startWith(1, 2), Observable.of(1, 2).concat(a)) }),
    ("a share with one is none", { a, _, _ in (a.share(replay: 1), a) }),
    (
      "shared or not",
      { a, b, _ in
        let shared = a.share()
        return (merge(shared.map { $0 + 1 }, shared, b), merge(a.map { $0 + 1 }, a, b))
      }
    ),
    ("there and back again", { a, _, _ in (a.materialize().dematerialize(), a) }),
    ("a take of a take is the shorter", { a, _, _ in (a.take(5).take(3), a.take(3)) }),
    ("an error caught and thrown", { a, _, _ in (a.catch { .error($0) }, a) }),
    ("no retry", { a, _, _ in (a.retry(0), a) }),
    (
      "a delay of a merge is a merge of delays",
      { a, b, clock in
        let (a, b) = (a.catch { _ in .empty() }, b.catch { _ in .empty() })
        let time = Duration.milliseconds(300)
        return (merge(a.delay(time, on: clock), b.delay(time, on: clock)), merge(a, b).delay(time, on: clock))
      }
    ),
    (
      "a sample of itself is itself",
      { a, _, _ in
        let shared = a.share()
        return (shared.withLatestFrom(shared), a)
      }
    ),
    ("zip with itself", { a, _, _ in (Observable.zip(a, a) { ($0 + $1) / 2 }, a) }),
    ("concat is associative", { a, b, _ in (a.concat(b).concat(a), a.concat(b.concat(a))) }),
    ("merge is associative", { a, b, _ in (merge(merge(a, b), a), merge(a, merge(b, a))) }),
    ("reduce is the last of a scan", { a, _, _ in (a.reduce(3, +), a.scan(3, +).startWith(3).last()) }),
    ("the sum of an array is a reduce", { a, _, _ in (a.toArray().map { $0.reduce(0, +) }, a.reduce(0, +)) }),
    ("the last one of the last", { a, _, _ in (a.takeLast(1), a.last()) }),
    (
      "the last ones are the end of an array",
      { a, _, _ in (a.takeLast(3), a.toArray().flatMap { .from($0.suffix(3)) }) }
    ),
    ("a skip by number", { a, _, _ in (a.enumerated().filter { $0.index >= 2 }.map(\.element), a.skip(2)) }),
    (
      "an element is a take of a skip",
      { a, _, _ in (a.element(at: 2).catch { $0 is OutOfRangeError ? .empty() : .error($0) }, a.skip(2).take(1)) }
    ),
    (
      "what is skipped while it holds",
      { a, _, _ in (a.skip { $0 < 6 }, a.scan((false, 0)) { ($0.0 || $1 >= 6, $1) }.filter(\.0).map(\.1)) }
    ),
    (
      "a key is a sameness",
      { a, _, _ in (a.distinctUntilChanged { $0 % 3 }, a.distinctUntilChanged { $0 % 3 == $1 % 3 }) }
    ),
    ("a value returned is caught", { a, _, _ in (a.catchAndReturn(7), a.catch { _ in .just(7) }) }),
    ("to look changes nothing", { a, _, _ in (a.debug { _ in }, a) }),
    (
      "one at a time is concat",
      { a, _, clock in
        let late = a.map { number in Observable.timer(.milliseconds(150), on: clock).map { _ in number } }
        return (late.merge(maxConcurrent: 1), late.concat())
      }
    ),
    (
      "many at a time are merge",
      { a, _, clock in
        let late = a.map { number in Observable.timer(.milliseconds(150), on: clock).map { _ in number } }
        return (late.merge(maxConcurrent: .max), late.merge())
      }
    ),
    (
      "the latest of many are those of three",
      { a, b, _ in
        (.combineLatest([a, b, a]) { $0[0] - $0[1] + $0[2] }, Observable.combineLatest(a, b, a) { $0 - $1 + $2 })
      }
    ),
    (
      "the nth of many are those of three",
      { a, b, _ in (.zip([a, b, a]) { $0[0] - $0[1] + $0[2] }, Observable.zip(a, b, a) { $0 - $1 + $2 }) }
    ),
    ("throttle by nothing", { a, _, clock in (a.throttle(.zero, latest: false, on: clock), a) }),
  ]

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `both sides emit the same events at the same time`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for (name, law) in laws {
      let m = Marbles()
      let (a, b) = (m.hot(random.diagram(), values: digits), m.hot(random.diagram(), values: digits))
      let (left, right) = law(a.stream, b.stream, m.clock)
      let (first, second) = (m.record(left) { draw($0) }, m.record(right) { draw($0) })
      m.clock.run()
      #expect(first() == second(), "\(name), seed \(seed)")
      #expect(first.elements == second.elements, "\(name), seed \(seed)")
    }
  }

  private let digits = Dictionary(uniqueKeysWithValues: (0..<10).map { (Character("\($0)"), $0) })

  private func draw(_ value: Int) -> Character {
    (0..<10).contains(value) ? Character("\(value)") : "x"
  }
}

extension SplitMix64 {
  /// Makes up to thirty frames of digits and gaps, and perhaps an end.
  fileprivate mutating func diagram() -> Diagram {
    var text = ""
    for _ in 0..<Int.random(in: 0..<30, using: &self) {
      switch Int.random(in: 0..<8, using: &self) {
      case 0..<4: text += "-"
      case 4: text += "(\(Int.random(in: 0..<10, using: &self))\(Int.random(in: 0..<10, using: &self)))"
      default: text += "\(Int.random(in: 0..<10, using: &self))"
      }
    }
    return Diagram(text + ["|", "#", ""][Int.random(in: 0..<3, using: &self)])
  }
}
