internal import Flow
public import FlowTesting
public import Testing

/// The events of one output of a view, and how many of them the test has asserted.
///
/// `Marbles.recordAll(of:)` makes it.
///
/// - The recording of a `Driver` begins with its current value, like the response to `open`. The test needn't assert
///   this value.
/// - Each assertion covers everything that the output has sent up to then. Later events need another one.
/// - A failed assertion counts, too, so one mistake isn't reported twice.
public final class RecordedOutput<Value> {
  /// The output's name.
  public let name: String
  private let marbles: Marbles
  private var events: [(time: Duration, frame: Int, value: Value)] = []
  /// The number of asserted events.
  private var asserted = 0
  private var isIgnored = false
  private var subscription: (any Disposable)?

  init(_ name: String, on marbles: Marbles, _ output: Observable<Value>) {
    self.name = name
    self.marbles = marbles
    subscription = output.subscribe(onNext: { [unowned self] value in
      events.append((marbles.clock.now, marbles.currentFrame, value))
    })
  }

  /// The values that the output has sent, in order. Reading them counts as asserting all of them.
  public var elements: [Value] {
    asserted = events.count
    return events.map(\.value)
  }

  /// Asserts the values that the output has sent so far, and their times.
  ///
  /// ```swift
  /// sent.ticket.expect("n---t") { $0 == nil ? "n" : "t" }
  /// ```
  /// - Parameters:
  ///   - expected: the diagram. If the output sent something else, or at another time, the test has an issue that shows
  ///     both diagrams.
  ///   - mark: draws a value as a character.
  ///   - sourceLocation: the location of the issue.
  public func expect(
    _ expected: Diagram, by mark: (Value) -> Character, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    asserted = events.count
    var frames: [[Character]] = Array(repeating: [], count: marbles.currentFrame + 1)
    for event in events { frames[event.frame].append(mark(event.value)) }
    Diagram(frames: frames).expect(
      expected.drawn(inFramesOf: marbles.frame, sourceLocation), "the output \"\(name)\" sent something else",
      sourceLocation)
  }

  /// Exempts the output from the check at the end of the test.
  public func ignore() { isIgnored = true }
}

extension RecordedOutput where Value: LosslessStringConvertible {
  /// Asserts the values that the output has sent so far, and their times. Values are drawn as `Marbles` draws them: a
  /// text of one character as this character, true and false as `t` and `f`, anything else as `?`.
  ///
  /// - Parameters:
  ///   - expected: the diagram.
  ///   - sourceLocation: the location of the issue if the output sent something else.
  public func expect(_ expected: Diagram, sourceLocation: SourceLocation = #_sourceLocation) {
    expect(expected, by: draw, sourceLocation: sourceLocation)
  }
}

extension RecordedOutput where Value: Equatable {
  /// Asserts the values that the output has sent so far, and their times.
  ///
  /// - Parameters:
  ///   - expected: the diagram.
  ///   - values: the values that the characters represent. Any other value is drawn as `?`.
  ///   - sourceLocation: the location of the issue if the output sent something else.
  public func expect(
    _ expected: Diagram, values: [Character: Value], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(
      expected, by: { value in values.first { $0.value == value }?.key ?? "?" }, sourceLocation: sourceLocation)
  }
}

extension RecordedOutput where Value == Void {
  /// Asserts when a signal without values has sent so far. Each event is drawn as `x`.
  ///
  /// - Parameters:
  ///   - expected: the diagram.
  ///   - sourceLocation: the location of the issue if the signal sent at other times.
  public func expect(_ expected: Diagram, sourceLocation: SourceLocation = #_sourceLocation) {
    expect(expected, by: { "x" }, sourceLocation: sourceLocation)
  }
}

// MARK: - The end of the test

/// A recording with values of any type.
protocol AnyRecordedOutput: AnyObject {
  /// Discards all events but the current value of a driver, which counts as asserted.
  func begin()
  /// Records one issue for all events that aren't asserted.
  func reportUnasserted(_ sourceLocation: SourceLocation)
  func stop()
}

extension RecordedOutput: AnyRecordedOutput {
  func begin() {
    events = Array(events.suffix(1))
    asserted = events.count
  }

  func reportUnasserted(_ sourceLocation: SourceLocation) {
    guard !isIgnored, asserted < events.count else { return }
    let lines = events[asserted...].map { "  at \(Int($0.time / .milliseconds(1))) ms: \(shown($0.value))" }
    let text = """
      the test doesn't assert what the output "\(name)" sent:
      \(lines.joined(separator: "\n"))
      Assert it by `\(name).expect(…)` or `\(name).elements`, or exempt the output by `\(name).ignore()`.
      """
    Issue.record("\(text)", sourceLocation: sourceLocation)
  }

  func stop() {
    subscription?.dispose()
    subscription = nil
  }

  private func shown(_ value: Value) -> String {
    if value is Void { return "an event" }
    let text = String(describing: value)
    return text.count > 200 ? "\(text.prefix(200))…" : text
  }
}
