public import Flow
public import Testing

/// Marble diagrams on a clock that is only as fast as the test: inputs are drawn, and so is what is expected of them.
///
/// ```swift
/// @Test func `a pause lets the last value out`() {
///   let m = Marbles()
///   let typed = PublishSubject<Character>()
///   let settled = m.record(typed.debounce(.milliseconds(300), on: m.clock))
///   m.play("-ab-------c|", into: typed)
///   m.clock.run()
///   settled.expect("-----b-----(c|)")
/// }
/// ```
///
/// A frame lasts 100 milliseconds unless it is told otherwise, so ten characters are a second. Frames are counted from
/// the start of ``clock``; what happens within a frame is drawn in that frame.
public final class Marbles {
  /// The time. It stands still until `advance(by:)` or `run(until:)` is called.
  public let clock = VirtualScheduler()
  /// How long a character of a diagram lasts.
  public let frame: Duration

  /// A clock at zero, on which a character of a diagram lasts so long.
  public init(frame: Duration = .milliseconds(100)) { self.frame = frame }

  /// Feeds what is drawn into a subject, or anything else that takes events, as time passes.
  ///
  /// - Parameters:
  ///   - diagram: the events; frames that have passed already are an issue of the test.
  ///   - target: what takes them.
  ///   - values: what the characters stand for.
  ///   - sourceLocation: where to report an issue.
  public func play<Target: ObserverType>(
    _ diagram: Diagram, into target: Target, values: [Character: Target.Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { values[$0] }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Feeds characters as they are drawn. Frames that have passed already are an issue of the test.
  public func play<Target: ObserverType<Character>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { $0 }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Feeds texts of one character each, as they are drawn. Frames that have passed already are an issue of the test.
  public func play<Target: ObserverType<String>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { String($0) }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Feeds signals without a value: each letter or digit is one. Frames that have passed already are an issue of the
  /// test.
  public func play<Target: ObserverType<Void>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { _ in () }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// A stream that emits the drawn events to each subscriber. Frame 0 is the time of the subscription.
  ///
  /// - Parameters:
  ///   - diagram: the events, counted from a subscription.
  ///   - values: what the characters stand for.
  ///   - sourceLocation: where to report an issue.
  /// - Returns: the stream, which remembers when it was subscribed to.
  public func cold<Element>(
    _ diagram: Diagram, values: [Character: Element], sourceLocation: SourceLocation = #_sourceLocation
  ) -> MarbleSource<Element> {
    MarbleSource(self, cold(diagram, { values[$0] }, sourceLocation))
  }

  /// A stream that tells characters as they are drawn to each subscriber, from the moment it subscribes.
  public func cold(_ diagram: Diagram, sourceLocation: SourceLocation = #_sourceLocation) -> MarbleSource<Character> {
    MarbleSource(self, cold(diagram, { $0 }, sourceLocation))
  }

  /// A stream that emits the drawn events at the times drawn. Subscribers that come later miss the earlier events.
  ///
  /// - Parameters:
  ///   - diagram: the events, counted from the clock's start.
  ///   - values: what the characters stand for.
  ///   - sourceLocation: where to report an issue.
  /// - Returns: the stream, which remembers when it was subscribed to.
  public func hot<Element>(
    _ diagram: Diagram, values: [Character: Element], sourceLocation: SourceLocation = #_sourceLocation
  ) -> MarbleSource<Element> {
    let subject = PublishSubject<Element>()
    play(diagram, into: subject, values: values, sourceLocation: sourceLocation)
    return MarbleSource(self, subject.asObservable())
  }

  /// A stream that tells characters at the time drawn, counted from the clock's start, to whoever is there.
  public func hot(_ diagram: Diagram, sourceLocation: SourceLocation = #_sourceLocation) -> MarbleSource<Character> {
    let subject = PublishSubject<Character>()
    play(diagram, into: subject, sourceLocation: sourceLocation)
    return MarbleSource(self, subject.asObservable())
  }

  /// The frame that it is now.
  package var currentFrame: Int { Int(clock.now / frame) }

  private func cold<Element>(
    _ diagram: Diagram, _ value: @escaping (Character) -> Element?, _ sourceLocation: SourceLocation
  ) -> Observable<Element> {
    .create { [self] observer in
      let timers = play(diagram, values: value, from: clock.now, sourceLocation) { observer.on($0) }
      return AnyDisposable {
        for timer in timers {
          timer.dispose()
        }
      }
    }
  }

  /// Sets a timer for each event.
  @discardableResult
  private func play<Element>(
    _ diagram: Diagram, values value: (Character) -> Element?, from start: Duration, _ sourceLocation: SourceLocation,
    _ feed: @escaping (Event<Element>) -> Void
  ) -> [any Disposable] {
    var timers: [any Disposable] = []
    for (frame, marks) in diagram.drawn(inFramesOf: frame, sourceLocation).frames.enumerated() {
      let time = start + self.frame * frame
      for mark in marks {
        guard let event = Event(mark, value) else {
          Issue.record(
            "“\(mark)” in the diagram “\(diagram)” stands for nothing", sourceLocation: sourceLocation)
          continue
        }
        guard time >= clock.now else {
          Issue.record("frame \(frame) of the diagram “\(diagram)” has passed", sourceLocation: sourceLocation)
          continue
        }
        timers.append(clock.schedule(after: time - clock.now) { feed(event) })
      }
    }
    return timers
  }
}

extension Event {
  /// What a mark in a diagram stands for.
  fileprivate init?(_ mark: Character, _ value: (Character) -> Element?) {
    switch mark {
    case "|": self = .completed
    case "#": self = .error(MarbleError())
    default:
      guard let element = value(mark) else { return nil }
      self = .next(element)
    }
  }
}

/// The failure that `#` stands for.
public struct MarbleError: Error, Equatable {
  /// A failure.
  public init() {}
}
