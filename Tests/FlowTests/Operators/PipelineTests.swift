import Flow
import FlowTesting
import Randomness
import Testing

/// Random pipelines of operators, compared with the same operations on lists.
@Suite struct PipelineTests {
  private enum End {
    case completed, failed, none
  }

  /// All events of a stream.
  private struct Said: Equatable {
    var values: [Int]
    var end: End

    /// Returns other values with the same end.
    func with(_ values: [Int]) -> Said { Said(values: values, end: end) }

    /// If the events end with `end`, appends values and another end.
    func after(_ end: End, _ values: [Int], _ last: End) -> Said {
      self.end == end ? Said(values: self.values + values, end: last) : self
    }

    /// Returns values that are emitted only if the stream completes.
    func atCompletion(_ values: [Int]) -> Said { with(end == .completed ? values : []) }

    /// Returns the first values, followed by a completion.
    func first(_ count: Int) -> Said {
      values.count < count ? self : Said(values: Array(values.prefix(count)), end: .completed)
    }
  }

  private typealias Stage = (name: String, apply: (Observable<Int>) -> Observable<Int>, model: (Said) -> Said)

  private let stages: [Stage] = [
    ("map", { $0.map { $0 + 1 } }, { $0.with($0.values.map { $0 + 1 }) }),
    ("filter", { $0.filter { $0 % 3 != 0 } }, { $0.with($0.values.filter { $0 % 3 != 0 }) }),
    ("scan", { $0.scan(0) { ($0 + $1) % 100 } }, { $0.with(sums(of: $0.values)) }),
    ("enumerated", { $0.enumerated().map { $0 + $1 } }, { $0.with($0.values.enumerated().map { $0 + $1 }) }),
    ("startWith", { $0.startWith(1, 2) }, { $0.with([1, 2] + $0.values) }),
    ("distinct", { $0.distinctUntilChanged() }, { $0.with(distinct($0.values) { $0 }) }),
    ("distinct by key", { $0.distinctUntilChanged { $0 / 4 } }, { $0.with(distinct($0.values) { $0 / 4 }) }),
    ("debug", { $0.debug { _ in } }, { $0 }),
    ("share", { $0.share(replay: 1) }, { $0 }),
    ("there and back", { $0.materialize().dematerialize() }, { $0 }),
    ("take", { $0.take(3) }, { $0.first(3) }),
    (
      "takeWhile", { $0.takeWhile { $0 < 12 } },
      { said in
        said.values.firstIndex { $0 >= 12 }.map { Said(values: Array(said.values[..<$0]), end: .completed) } ?? said
      }
    ),
    ("skip", { $0.skip(1) }, { $0.with(Array($0.values.dropFirst())) }),
    ("skip while", { $0.skip { $0 < 5 } }, { $0.with(Array($0.values.drop { $0 < 5 })) }),
    ("ignoreElements", { $0.ignoreElements() }, { $0.with([]) }),
    ("last", { $0.last() }, { $0.atCompletion($0.values.suffix(1)) }),
    ("takeLast", { $0.takeLast(2) }, { $0.atCompletion($0.values.suffix(2)) }),
    ("reduce", { $0.reduce(7) { ($0 + $1) % 100 } }, { $0.atCompletion([$0.values.reduce(7) { ($0 + $1) % 100 }]) }),
    ("toArray", { $0.toArray().map(\.count) }, { $0.atCompletion([$0.values.count]) }),
    (
      "element", { $0.element(at: 1) },
      {
        $0.values.count > 1 ? Said(values: [$0.values[1]], end: .completed) : $0.with([]).after(.completed, [], .failed)
      }
    ),
    ("ifEmpty", { $0.ifEmpty(default: 6) }, { $0.values.isEmpty ? $0.after(.completed, [6], .completed) : $0 }),
    ("catchAndReturn", { $0.catchAndReturn(9) }, { $0.after(.failed, [9], .completed) }),
    ("catch", { $0.catch { _ in .of(8, 9) } }, { $0.after(.failed, [8, 9], .completed) }),
    ("concat", { $0.concat(.just(3)).concat(.of(4, 5)) }, { $0.after(.completed, [3, 4, 5], .completed) }),
    (
      "concat before", { Observable.just(3).concat(Observable.of(4, 5).concat($0)) },
      { $0.with([3, 4, 5] + $0.values) }
    ),
    ("merge", { merge(merge($0, .empty()), .empty()) }, { $0 }),
    ("flatMap", { $0.flatMap { .of($0, 1) } }, { $0.with($0.values.flatMap { [$0, 1] }) }),
    ("flatMapLatest", { $0.flatMapLatest { .of($0, 1) } }, { $0.with($0.values.flatMap { [$0, 1] }) }),
    ("concatMap", { $0.concatMap { .of($0, 1) } }, { $0.with($0.values.flatMap { [$0, 1] }) }),
    ("merge at most", { $0.map { .of($0, 1) }.merge(maxConcurrent: 2) }, { $0.with($0.values.flatMap { [$0, 1] }) }),
    ("withLatestFrom", { $0.withLatestFrom(BehaviorRelay(3)) { $0 + $1 } }, { $0.with($0.values.map { $0 + 3 }) }),
    ("combineLatest", { Observable.combineLatest(.just(3), $0) { $0 + $1 } }, { $0.with($0.values.map { $0 + 3 }) }),
    (
      "combineLatest of many", { .combineLatest([.just(3), $0]) { $0[0] + $0[1] } },
      { $0.with($0.values.map { $0 + 3 }) }
    ),
    (
      "zip of many", { .zip([.from(0..<1000), $0]) { $0[0] + $0[1] } },
      { $0.with($0.values.enumerated().map { $0 + $1 }) }
    ),
  ]

  @Test(arguments: 0..<400 as Range<UInt64>)
  func `a pipeline emits the same values as the operations on lists`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let said = Said(
      values: (0..<Int.random(in: 0..<8, using: &random)).map { _ in Int.random(in: 0..<16, using: &random) },
      end: [.completed, .failed, .none][Int.random(in: 0..<3, using: &random)])
    let pipeline = (0..<Int.random(in: 1..<8, using: &random)).map { _ in
      stages[Int.random(in: 0..<stages.count, using: &random)]
    }
    let expected = pipeline.reduce(said) { $1.model($0) }
    let names = pipeline.map(\.name).joined(separator: ", ")
    let end: Observable<Int> =
      said.end == .completed ? .empty() : said.end == .failed ? .error(MarbleError()) : .never()

    let cold = pipeline.reduce(Observable.from(said.values).concat(end)) { $1.apply($0) }
    for _ in 0..<2 { #expect(listen(to: cold) == expected, "\(names), seed \(seed)") }

    for count in [1000, Int.random(in: 1..<6, using: &random)] {
      let subject = PublishSubject<Int>()
      let hot = pipeline.reduce(subject.asObservable()) { $1.apply($0) }.take(count)
      let heard = listen(to: hot) {
        for value in said.values { subject.onNext(value) }
        end.subscribe(onError: subject.onError, onCompleted: subject.onCompleted).dispose()
      }
      #expect(heard == expected.first(count), "\(names), seed \(seed)")
      #expect(!subject.hasObservers, "\(names), seed \(seed)")
    }
  }

  private func listen(to stream: Observable<Int>, _ feed: () -> Void = {}) -> Said {
    var said = Said(values: [], end: .none)
    let subscription = stream.subscribe { event in
      #expect(said.end == .none)
      switch event {
      case .next(let value): said.values.append(value)
      case .error: said.end = .failed
      case .completed: said.end = .completed
      }
    }
    feed()
    subscription.dispose()
    return said
  }
}

private func sums(of values: [Int]) -> [Int] {
  var sum = 0
  return values.map { value in
    sum = (sum + value) % 100
    return sum
  }
}

private func distinct(_ values: [Int], _ key: (Int) -> Int) -> [Int] {
  values.indices.filter { $0 == 0 || key(values[$0]) != key(values[$0 - 1]) }.map { values[$0] }
}
