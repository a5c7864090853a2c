public import Flow
public import FlowTesting
public import Nagare
public import Testing

extension Marbles {
  /// Runs a test that must assert everything that the outputs of a view send.
  ///
  /// It records all outputs, including those that the test doesn't name. If the test ends and an output has sent
  /// something that the test didn't assert, that is an issue with the output's name, the times and the values. So a
  /// test notices events that its author didn't expect, such as a second request or a failure.
  ///
  /// ```swift
  /// let m = Marbles()
  /// let view = Opened(Weather { .just(7).delay(.milliseconds(300), on: m.clock) }, on: m.clock)
  /// m.recordAll(of: view) { sent in
  ///   m.play("-r", into: view.input.refresh)
  ///   m.clock.run()
  ///   sent.degrees.expect("n---7") { $0.map { Character("\($0)") } ?? "n" }
  ///   sent.loading.ignore()
  /// }
  /// ```
  /// - Parameters:
  ///   - view: the view. Its first subscriptions begin here, unless the test has subscribed before.
  ///   - sourceLocation: the location of the issues.
  ///   - test: plays inputs, moves the clock and asserts. It receives the recordings as properties with the names of
  ///     the outputs.
  /// - Throws: any error that `test` throws. Then nothing else is reported.
  public func recordAll<Model: ViewModel>(
    of view: Opened<Model>, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ test: (RecordedOutputs<Model.Output, Model.Output>) throws -> Void
  ) rethrows {
    let recordings = Recordings(of: view.namedOutputs, on: self)
    defer { for recording in recordings.all { recording.stop() } }
    try test(RecordedOutputs(recordings: recordings, path: \.self))
    for recording in recordings.all { recording.reportUnasserted(sourceLocation) }
  }
}

/// The recordings of all outputs of a view, as properties with the outputs' names.
///
/// `Marbles.recordAll(of:)` makes them. The outputs of a view model within another one are
/// reached through the property that holds them: `sent.title.text`. If that property is `Nested`, the structures of
/// outputs must be `Decodable`, too, since a key path doesn't show its name otherwise.
@dynamicMemberLookup
public struct RecordedOutputs<Root, Outputs> {
  let recordings: Recordings
  let path: KeyPath<Root, Outputs>

  /// The recording of a state.
  ///
  /// - Parameter output: the output, a stored property.
  public subscript<Value>(dynamicMember output: KeyPath<Outputs, Driver<Value>>) -> RecordedOutput<Value> {
    recordings.recording(OutputNames.name(of: path.appending(path: output)))
  }

  /// The recording of an event.
  ///
  /// - Parameter output: the output, a stored property.
  public subscript<Value>(dynamicMember output: KeyPath<Outputs, Signal<Value>>) -> RecordedOutput<Value> {
    recordings.recording(OutputNames.name(of: path.appending(path: output)))
  }

  /// The recordings of a group of outputs within these outputs.
  ///
  /// - Parameter outputs: the property that holds the group.
  public subscript<Inner: Nagare.Outputs>(
    dynamicMember outputs: KeyPath<Outputs, Inner>
  ) -> RecordedOutputs<Root, Inner> {
    RecordedOutputs<Root, Inner>(recordings: recordings, path: path.appending(path: outputs))
  }
}

/// The recordings of a view's outputs, in their order.
final class Recordings {
  private let names: [String]
  let all: [any AnyRecordedOutput]

  init(of outputs: [(name: String, output: Any)], on marbles: Marbles) {
    let outputs = outputs.compactMap { name, output in (output as? any Recordable).map { (name, $0) } }
    // Holding the turns makes events during the opening reach all recordings, as they reach all outputs in a service.
    for (_, output) in outputs { output.turns?.hold() }
    names = outputs.map { $0.0 }
    all = outputs.map { name, output in output.record(name, on: marbles) }
    for (_, output) in outputs { output.turns?.release() }
    for (recording, output) in Swift.zip(all, outputs) where output.1.hasCurrentValue { recording.begin() }
  }

  func recording<Value>(_ name: String) -> RecordedOutput<Value> {
    let recording = names.firstIndex(of: name).flatMap { all[$0] as? RecordedOutput<Value> }
    guard let recording else {
      // The property that a test reads can't throw. All stored outputs are recorded, so this is a mistake in the test's
      // view model: coding keys that rename an output, in a structure that isn't Decodable.
      fatalError("the view has no output \"\(name)\" of \(Value.self), but \(names.joined(separator: ", "))")
    }
    return recording
  }
}

/// A driver or a signal with values of any type.
protocol Recordable<Value> {
  associatedtype Value
  /// The turn that starts it; nil for a signal outside any turn.
  var turns: Turn? { get }
  var hasCurrentValue: Bool { get }
  /// The values to record.
  var recorded: Observable<Value> { get }
}

extension Recordable {
  func record(_ name: String, on marbles: Marbles) -> any AnyRecordedOutput {
    RecordedOutput(name, on: marbles, recorded)
  }
}

extension Driver: Recordable {
  var turns: Turn? { turn }
  var hasCurrentValue: Bool { true }
  var recorded: Observable<Value> { distinctValues }
}

extension Signal: Recordable {
  var turns: Turn? { turn }
  var hasCurrentValue: Bool { false }
  var recorded: Observable<Value> { asObservable() }
}
