import Flow
import FlowTesting
import Testing

/// A value whose living instances are counted.
final class Token {
  /// The number of living instances.
  final class Count {
    var alive = 0
  }

  let name: Character
  private let count: Count

  init(_ name: Character, _ count: Count) {
    self.name = name
    self.count = count
    count.alive += 1
  }

  deinit {
    count.alive -= 1
  }
}

/// Checks the rules for every operator that forwards the end of its source. The result ends when the source does. The
/// operator leaves the source at the end and when disposed of. Nothing is emitted after that, and nothing stays in
/// memory.
///
/// - Parameters:
///   - sourceLocation: the location of the issues.
///   - apply: applies the operator, in a way that emits each value of the source within a second.
func expectContract<Result>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Observable<Token>, VirtualScheduler) -> Observable<Result>
) {
  expectEnds(sourceLocation, apply)
  expectDisposal(sourceLocation, apply)
  expectNoLeak(sourceLocation, apply)
}

private func expectEnds<Result>(
  _ sourceLocation: SourceLocation, _ apply: (Observable<Token>, VirtualScheduler) -> Observable<Result>
) {
  let cases: [(source: Diagram, end: String, subscription: Diagram)] = [
    ("---|", "|", "^--!"), ("|", "|", "(^!)"), ("---#", "#", "^--!"), ("#", "#", "(^!)"), ("---", "", "^---------!"),
  ]
  for (source, end, subscription) in cases {
    let m = Marbles()
    let cold = m.cold(source, values: [Character: Token]())
    let recording = m.record(apply(cold.stream, m.clock)) { _ in "?" }
    m.clock.run(until: .seconds(1))
    recording.dispose()
    #expect(
      recording().description.filter("|#".contains) == end, "ends as the source does", sourceLocation: sourceLocation)
    #expect(cold.subscriptions.first == subscription, "leaves the source when it ends", sourceLocation: sourceLocation)
  }
}

private func expectDisposal<Result>(
  _ sourceLocation: SourceLocation, _ apply: (Observable<Token>, VirtualScheduler) -> Observable<Result>
) {
  let m = Marbles()
  let source = PublishSubject<Token>()
  let count = Token.Count()
  let subscription = SerialDisposable()
  var events = 0
  subscription.disposable = apply(source.asObservable(), m.clock).subscribe { _ in
    events += 1
    subscription.dispose()
  }
  source.onNext(Token("a", count))
  m.clock.advance(by: .seconds(1))
  source.onNext(Token("b", count))
  m.clock.advance(by: .seconds(1))
  source.onCompleted()
  #expect(events == 1, "nothing comes after disposal in the middle of an event", sourceLocation: sourceLocation)
  #expect(!source.hasObservers, "disposal leaves the source", sourceLocation: sourceLocation)
}

private func expectNoLeak<Result>(
  _ sourceLocation: SourceLocation, _ apply: (Observable<Token>, VirtualScheduler) -> Observable<Result>
) {
  let endings: [(PublishSubject<Token>, any Disposable) -> Void] = [
    { source, _ in source.onCompleted() }, { source, _ in source.onError(MarbleError()) },
    { _, subscription in subscription.dispose() },
  ]
  for (number, end) in endings.enumerated() {
    let m = Marbles()
    let source = PublishSubject<Token>()
    let count = Token.Count()
    // The closures hold a token, which shows whether the subscription itself is deallocated.
    let subscription = subscribe(apply(source.asObservable(), m.clock), holding: Token("c", count))
    source.onNext(Token("a", count))
    source.onNext(Token("b", count))
    end(source, subscription)
    m.clock.run(until: .seconds(5))
    #expect(count.alive == 0, "ending \(number) lets everything go", sourceLocation: sourceLocation)
    #expect(!source.hasObservers, sourceLocation: sourceLocation)
  }
}

private func subscribe<Element>(_ stream: Observable<Element>, holding token: Token) -> any Disposable {
  stream.subscribe { _ in withExtendedLifetime(token) {} }
}
