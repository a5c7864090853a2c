public import Flow
public import Testing

/// A stream drawn as a diagram that records its subscriptions. ``Marbles`` makes it.
public final class MarbleSource<Element>: ObservableConvertible {
  private let marbles: Marbles
  private let source: Observable<Element>
  private var log: [(start: Int, end: Int?)] = []

  init(_ marbles: Marbles, _ source: Observable<Element>) {
    self.marbles = marbles
    self.source = source
  }

  /// The stream.
  public var stream: Observable<Element> {
    .create { [self] observer in
      let number = log.count
      log.append((marbles.currentFrame, nil))
      let subscription = source.subscribe(observer.on)
      return AnyDisposable { [self] in
        log[number].end = marbles.currentFrame
        subscription.dispose()
      }
    }
  }

  /// The stream.
  public func asObservable() -> Observable<Element> { stream }

  /// A diagram for each subscription, in order. `^` marks its beginning; `!` marks when the subscriber left or received
  /// the end.
  public var subscriptions: [Diagram] {
    log.map { start, end in
      var frames: [[Character]] = Array(repeating: [], count: max(start, end ?? 0) + 1)
      frames[start].append("^")
      if let end { frames[end].append("!") }
      return Diagram(frames: frames)
    }
  }

  /// Records an issue if the subscriptions differ from the expected ones, a diagram for each in order.
  public func expectSubscriptions(_ expected: Diagram..., sourceLocation: SourceLocation = #_sourceLocation) {
    let actual = subscriptions
    if actual.count != expected.count {
      Issue.record(
        "\(actual.count) subscriptions, \(expected.count) expected: \(actual)", sourceLocation: sourceLocation)
    }
    for (number, pair) in Swift.zip(actual, expected).enumerated() {
      pair.0.expect(pair.1.drawn(inFramesOf: marbles.frame, sourceLocation), "subscription \(number)", sourceLocation)
    }
  }
}
