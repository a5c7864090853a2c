public import Flow
public import Testing

/// Marble diagrams on a virtual clock that the test moves: inputs and expected outputs are drawn as text.
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
/// A frame lasts 100 milliseconds by default, so ten characters are a second. Frames are counted from the start of
/// ``clock``. An event anywhere within a frame is drawn in that frame.
public final class Marbles {
  /// The virtual clock. It stands still until `advance(by:)` or `run(until:)` is called.
  public let clock = VirtualScheduler()
  /// The length of a frame, which is one character of a diagram.
  public let frame: Duration

  /// Makes a clock at zero, with frames of a given length.
  public init(frame: Duration = .milliseconds(100)) { self.frame = frame }

  /// Sends the events of a diagram to a subject or another receiver of events, as time passes.
  ///
  /// - Parameters:
  ///   - diagram: the events. A frame in the past is an issue of the test.
  ///   - target: the receiver of the events.
  ///   - values: the value for each character.
  ///   - sourceLocation: the location of the issues.
  public func play<Target: ObserverType>(
    _ diagram: Diagram, into target: Target, values: [Character: Target.Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { values[$0] }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Sends the characters of a diagram as values. A frame in the past is an issue of the test.
  public func play<Target: ObserverType<Character>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { $0 }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Sends the characters of a diagram as texts. A frame in the past is an issue of the test.
  public func play<Target: ObserverType<String>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { String($0) }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Sends an event without a value for each letter or digit of a diagram. A frame in the past is an issue of the test.
  public func play<Target: ObserverType<Void>>(
    _ diagram: Diagram, into target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    play(diagram, values: { _ in () }, from: .zero, sourceLocation) { target.on($0) }
  }

  /// Makes a stream that emits the drawn events to each subscriber. Frame 0 is the time of the subscription.
  ///
  /// - Parameters:
  ///   - diagram: the events, counted from a subscription.
  ///   - values: the value for each character.
  ///   - sourceLocation: the location of the issues.
  /// - Returns: the stream, which records its subscriptions.
  public func cold<Element>(
    _ diagram: Diagram, values: [Character: Element], sourceLocation: SourceLocation = #_sourceLocation
  ) -> MarbleSource<Element> {
    MarbleSource(self, cold(diagram, { values[$0] }, sourceLocation))
  }

  /// Makes a stream that emits the characters of a diagram to each subscriber. Frame 0 is the time of the subscription.
  public func cold(_ diagram: Diagram, sourceLocation: SourceLocation = #_sourceLocation) -> MarbleSource<Character> {
    MarbleSource(self, cold(diagram, { $0 }, sourceLocation))
  }

  /// Makes a stream that emits the drawn events at the drawn times. Later subscribers miss the earlier events.
  ///
  /// - Parameters:
  ///   - diagram: the events, counted from the clock's start.
  ///   - values: the value for each character.
  ///   - sourceLocation: the location of the issues.
  /// - Returns: the stream, which records its subscriptions.
  public func hot<Element>(
    _ diagram: Diagram, values: [Character: Element], sourceLocation: SourceLocation = #_sourceLocation
  ) -> MarbleSource<Element> {
    let subject = PublishSubject<Element>()
    play(diagram, into: subject, values: values, sourceLocation: sourceLocation)
    return MarbleSource(self, subject.asObservable())
  }

  /// Makes a stream that emits the characters of a diagram to its current subscribers. Frame 0 is the clock's start.
  public func hot(_ diagram: Diagram, sourceLocation: SourceLocation = #_sourceLocation) -> MarbleSource<Character> {
    let subject = PublishSubject<Character>()
    play(diagram, into: subject, sourceLocation: sourceLocation)
    return MarbleSource(self, subject.asObservable())
  }

  /// The number of the current frame.
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

  /// Sets a timer for each event. Returns the timers.
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
  /// The event for a character of a diagram; nil for an unknown character.
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

/// The failure that `#` represents.
public struct MarbleError: Error, Equatable {
  /// Makes the failure.
  public init() {}
}
