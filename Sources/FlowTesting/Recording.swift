public import Flow
public import Testing

/// The events of a stream so far, with their times. ``Marbles/record(_:by:)->Recording<Element>`` makes it.
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

  /// The diagram of the events so far.
  public func callAsFunction() -> Diagram {
    let quiet = max(0, marbles.currentFrame + 1 - frames.count)
    return Diagram(frames: frames + Array(repeating: [], count: quiet))
  }

  /// Records an issue if the events so far differ from the expected ones. The issue shows both diagrams.
  public func expect(_ expected: Diagram, sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = expected.drawn(inFramesOf: marbles.frame, sourceLocation)
    self().expect(expected, "the stream said something else", sourceLocation)
  }

  /// Ends the recording and its subscription.
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
  /// Subscribes to a stream and records its events, until the recording is disposed of or deallocated. `mark` draws
  /// each value as a character.
  public func record<Element>(
    _ stream: some ObservableConvertible<Element>, by mark: @escaping (Element) -> Character
  ) -> Recording<Element> {
    Recording(stream.asObservable(), on: self, by: mark)
  }

  /// Subscribes to a stream and records its events, until the recording is disposed of or deallocated. Values without a
  /// character are drawn as `?`.
  public func record<Element: Equatable>(
    _ stream: some ObservableConvertible<Element>, values: [Character: Element]
  ) -> Recording<Element> {
    record(stream) { element in values.first { $0.value == element }?.key ?? "?" }
  }

  /// Subscribes to a stream and records its events, until the recording is disposed of or deallocated. A value whose
  /// text has one character is drawn as that character, true and false as `t` and `f`, and any other value as `?`.
  public func record<Element: LosslessStringConvertible>(_ stream: some ObservableConvertible<Element>) -> Recording<
    Element
  > {
    record(stream, by: draw)
  }

  /// Subscribes to a stream and moves the clock to the end of the diagram. Records an issue if the events until then
  /// differ from the diagram.
  public func expect<Element: LosslessStringConvertible>(
    _ stream: some ObservableConvertible<Element>, _ expected: Diagram,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(stream, expected, by: draw, sourceLocation: sourceLocation)
  }

  /// Subscribes to a stream and moves the clock to the end of the diagram. Records an issue if the events until then
  /// differ from the diagram. `mark` draws each value as a character.
  public func expect<Element>(
    _ stream: some ObservableConvertible<Element>, _ expected: Diagram, by mark: @escaping (Element) -> Character,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let recording = record(stream, by: mark)
    clock.run(until: frame * expected.drawn(inFramesOf: frame, sourceLocation).frames.count)
    recording.expect(expected, sourceLocation: sourceLocation)
  }
}

/// Draws a value as a character: its text if that has one character, `t` or `f` for a Boolean, `?` otherwise.
package func draw<Element: LosslessStringConvertible>(_ element: Element) -> Character {
  let text = String(element)
  return text == "true" ? "t" : text == "false" ? "f" : text.count == 1 ? Character(text) : "?"
}
