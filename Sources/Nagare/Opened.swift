public import Flow

/// A view model that is opened for a test, as the service opens one: its inputs have their names, and its outputs are made.
///
/// ```swift
/// let m = Marbles()
/// let view = Opened(Counter(), on: m.clock)
/// let count = m.record(view.output.count)
/// m.play("-x-x", into: view.input.increment)
/// m.clock.run()
/// count.expect("01-2")
/// ```
public final class Opened<Model: ViewModel> {
  /// Its inputs.
  public let input: Model.Input
  /// Its outputs.
  public let output: Model.Output
  /// What the view model's author would be told of: inputs that were refused where nobody hears of it, turns without end.
  public private(set) var errors: [String] = []
  private let binding: ViewModelBinding

  /// Opens a view model, whose time comes from a clock. What is wrong with the declaration of its inputs or outputs
  /// ends the program.
  public init(_ model: Model, on clock: any Scheduler) {
    (binding, input, output) = ViewModelBinding.define(model, on: clock)
    for output in binding.outputs { output.turn?.reportErrors { [weak self] in self?.errors.append($0) } }
  }

  /// The names of its inputs, in their order.
  package var inputNames: [String] { binding.inputs.map(\.name) }

  /// The names of its outputs, in their order.
  package var outputNames: [String] { binding.outputs.map(\.name) }

  /// Its outputs, each a `Driver` or a `Signal`, with their names, in their order.
  package var namedOutputs: [(name: String, output: Any)] {
    var outputs: [(name: String, output: Any)] = []
    let found = PropertyCollector.Found(isThorough: true)
    found.onOutput = { outputs.append(($0, $1)) }
    PropertyCollector.collect(output, in: "\(Model.self).Output", into: found)
    return outputs
  }

  /// Closes it: its inputs take nothing more, and its feedbacks are stopped for good. What listens to the outputs is the
  /// test's to end.
  public func close() {
    for (_, port) in binding.inputs { port.close() }
    for made in binding.feedbacks { made.feedback?.close() }
  }
}
