public import Flow

/// Opens a view model in a test, without a service. Inputs have their names, and outputs are created, as in a real
/// view.
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
  /// The inputs of the view model.
  public let input: Model.Input
  /// The outputs of the view model.
  public let output: Model.Output
  /// Errors that the service would report to the author of the view model: refused inputs whose error reaches no
  /// caller, and endless loops of rules.
  public private(set) var errors: [String] = []
  private let binding: ViewModelBinding

  /// Opens a view model on a clock. A mistake in the declaration of its inputs or outputs ends the program.
  public init(_ model: Model, on clock: any Scheduler) {
    (binding, input, output) = ViewModelBinding.define(model, on: clock)
    for output in binding.outputs { output.turn?.reportErrors { [weak self] in self?.errors.append($0) } }
  }

  /// The names of the inputs, in their order.
  package var inputNames: [String] { binding.inputs.map(\.name) }

  /// The names of the outputs, in their order.
  package var outputNames: [String] { binding.outputs.map(\.name) }

  /// The outputs with their names, in their order. Each is a `Driver` or a `Signal`.
  package var namedOutputs: [(name: String, output: Any)] {
    var outputs: [(name: String, output: Any)] = []
    let found = PropertyCollector.Found(isThorough: true)
    found.onOutput = { outputs.append(($0, $1)) }
    PropertyCollector.collect(output, in: "\(Model.self).Output", into: found)
    return outputs
  }

  /// Closes the view model. Its inputs have no effect from then on, and its feedbacks stop permanently. The test itself
  /// disposes of its subscriptions to the outputs.
  public func close() {
    for (_, port) in binding.inputs { port.close() }
    for made in binding.feedbacks { made.feedback?.close() }
  }
}
