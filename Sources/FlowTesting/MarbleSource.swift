public import Flow
public import Testing

/// A stream that was drawn, and remembers when it was subscribed to. Made by ``Marbles``.
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

  /// When somebody subscribed (`^`) and left, or was told the end (`!`): a diagram for each subscription, in order.
  public var subscriptions: [Diagram] {
    log.map { start, end in
      var frames: [[Character]] = Array(repeating: [], count: max(start, end ?? 0) + 1)
      frames[start].append("^")
      if let end { frames[end].append("!") }
      return Diagram(frames: frames)
    }
  }

  /// Reports an issue if the subscriptions are not those expected, a diagram for each in order.
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
