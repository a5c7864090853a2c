public import Flow
public import Testing

/// What a stream emitted and when, up to now. Made by ``Marbles/record(_:by:)->Recording<Element>``.
public final class Recording<Element>: Disposable {
  private let marbles: Marbles
  private let mark: (Element) -> Character
  private var frames: [[Character]] = []
  private var subscription: (any Disposable)?
  /// The values, in order.
  public private(set) var elements: [Element] = []

  init(_ stream: Observable<Element>, on marbles: Marbles, by mark: @escaping (Element) -> Character) {
    self.marbles = marbles
    self.mark = mark
    subscription = stream.subscribe { [unowned self] event in
      add(event)
    }
  }

  deinit { dispose() }

  /// The diagram of what the stream emitted, up to now.
  public func callAsFunction() -> Diagram {
    let quiet = max(0, marbles.currentFrame + 1 - frames.count)
    return Diagram(frames: frames + Array(repeating: [], count: quiet))
  }

  /// Reports an issue, which shows the diagrams under each other, if the stream did not say up to now what is expected.
  public func expect(_ expected: Diagram, sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = expected.drawn(inFramesOf: marbles.frame, sourceLocation)
    self().expect(expected, "the stream said something else", sourceLocation)
  }

  /// Ends the recording, and with it the subscription.
  public func dispose() {
    subscription?.dispose()
    subscription = nil
  }

  private func add(_ event: Event<Element>) {
    let frame = marbles.currentFrame
    while frames.count <= frame {
      frames.append([])
    }
    switch event {
    case .next(let element):
      elements.append(element)
      frames[frame].append(mark(element))
    case .error: frames[frame].append("#")
    case .completed: frames[frame].append("|")
    }
  }
}

extension Marbles {
  /// Subscribes to a stream, and records what it emits, until the recording is disposed of or goes away.
  public func record<Element>(
    _ stream: some ObservableConvertible<Element>, by mark: @escaping (Element) -> Character
  ) -> Recording<Element> {
    Recording(stream.asObservable(), on: self, by: mark)
  }

  /// Subscribes to a stream, and records what it emits, until the recording is disposed of or goes away. Values without
  /// a character are drawn as `?`.
  public func record<Element: Equatable>(
    _ stream: some ObservableConvertible<Element>, values: [Character: Element]
  ) -> Recording<Element> {
    record(stream) { element in values.first { $0.value == element }?.key ?? "?" }
  }

  /// Subscribes to a stream, and records what it says. A value is drawn as the text for it if that is one character;
  /// true and false are drawn as `t` and `f`, and anything else as `?`. The recording ends when it is disposed of or
  /// goes away.
  public func record<Element: LosslessStringConvertible>(_ stream: some ObservableConvertible<Element>) -> Recording<
    Element
  > {
    record(stream, by: draw)
  }

  /// Subscribes to a stream, lets time pass to the end of the diagram, and reports an issue if it did not say by then
  /// what is drawn.
  public func expect<Element: LosslessStringConvertible>(
    _ stream: some ObservableConvertible<Element>, _ expected: Diagram,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(stream, expected, by: draw, sourceLocation: sourceLocation)
  }

  /// Subscribes to a stream, lets time pass to the end of the diagram, and reports an issue if it did not say by then
  /// what is drawn, each value as `mark` draws it.
  public func expect<Element>(
    _ stream: some ObservableConvertible<Element>, _ expected: Diagram, by mark: @escaping (Element) -> Character,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let recording = record(stream, by: mark)
    clock.run(until: frame * expected.drawn(inFramesOf: frame, sourceLocation).frames.count)
    recording.expect(expected, sourceLocation: sourceLocation)
  }
}

/// A value as a character of a diagram: its text if that is one character, `t` or `f` for a Boolean, `?` otherwise.
package func draw<Element: LosslessStringConvertible>(_ element: Element) -> Character {
  let text = String(element)
  return text == "true" ? "t" : text == "false" ? "f" : text.count == 1 ? Character(text) : "?"
}
