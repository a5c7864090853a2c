internal import Flow
internal import RPC
internal import WireJSON

/// An open screen.
final class View {
  let name: String
  let screen: String
  let viewModel: String
  /// The view's number in the session. Views are numbered in the order in which they are opened.
  let number: Int
  let inputs: [(name: String, port: InputPort)]
  let outputs: [OutputSlot]
  /// The structure with the outputs.
  let output: Any?
  private(set) weak var parent: View?
  /// The views that this one opened, by their numbers.
  private var children: [Int: View] = [:]
  private let ports: [WireText: InputPort]
  private let feedbacks: [MadeFeedback]
  /// The service owns this view, so the service exists as long as the view. A weak reference would make every access
  /// slower, even for a ping.
  private unowned let service: Service
  let outbox: Outbox

  init(
    name: String, screen: String, viewModel: String, parent: View?, number: Int, binding: ViewModelBinding,
    service: Service
  ) {
    self.name = name
    self.screen = screen
    self.viewModel = viewModel
    self.parent = parent
    self.number = number
    self.service = service
    outbox = service.peer.outbox
    inputs = binding.inputs
    outputs = binding.outputs
    output = binding.output
    feedbacks = binding.feedbacks
    ports = Dictionary(binding.inputs.map { (WireText($0.name), $0.port) }) { first, _ in first }
    parent?.children[number] = self
    for output in outputs { output.attach(to: self, order: service.nextOutputNumber()) }
    for presenter in binding.presenters {
      presenter.answer = { [unowned service] task in service.present(task, in: name) }
    }
  }

  /// Subscribes to the outputs. The answer that reports the new view contains their values at the end of this call.
  func connect() {
    // Some streams start with their first subscriber. They are held until all outputs have subscribed, so that no
    // output misses an event.
    for output in outputs { output.turn?.hold() }
    for output in outputs {
      output.turn?.reportErrors { [weak self] in self?.report($0) }
      output.connect()
    }
    for output in outputs { output.turn?.release() }
    for output in outputs where output.hasCurrentValue { output.markSent() }
  }

  /// Reports an error to the author of the view model.
  func report(_ error: String) { service.onModelError("\(viewModel) (view \"\(name)\"): \(error)") }

  /// Whether the view has running work, such as a load.
  var isWorking: Bool { outputs.contains { $0.turn?.isWorking == true } }

  /// Whether the client accepts items as splices.
  var takesDeltas: Bool { service.client.takesDeltas }

  func port(_ name: WireText) -> InputPort? { ports[name] }

  /// Opens a view for an output of this one. Nil if the limit of open views is reached or the view model can't be
  /// opened.
  func open(_ navigation: Navigation) -> View? { service.open(navigation, from: self) }

  /// Writes `{name: {"value",…}}` for the outputs with a current value, and marks these values as sent.
  func writeOutputs(to writer: inout JSONWriter) {
    writer.beginObject()
    for output in outputs where output.hasCurrentValue {
      writer.key(output.name)
      writer.beginObject()
      output.markSent()
      output.writeCurrentMembers(to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }

  /// The views that this one opened, and all that those opened, in the order in which they were opened.
  var descendants: [View] {
    var found = Array(children.values)
    var next = 0
    while next < found.count {
      found += found[next].children.values
      next += 1
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Applies the view model's rules for closing, because no more input comes. The view stays open.
  func endInput() {
    for made in feedbacks { made.feedback?.endInput() }
  }

  /// Ends the view's running work. Outputs that are queued are still sent.
  func stop() {
    for output in outputs { output.stop() }
  }

  /// Closes the view: it sends nothing more.
  func close() {
    for output in outputs { output.disconnect() }
    for (_, port) in inputs { port.close() }
    parent?.children[number] = nil
  }

  /// Whether the view model has running work that outlives the view.
  var hasRuns: Bool { feedbacks.contains { $0.feedback?.hasRuns == true } }

  /// Stops the view model's feedbacks permanently, so that feedbacks that refer to each other don't keep each other in
  /// memory.
  ///
  /// It is called when all views that close together are closed, because they may show this view's state.
  func closeFeedbacks() {
    for made in feedbacks { made.feedback?.close() }
    #if DEBUG
      reportSurvivors()
    #endif
  }

  #if DEBUG
    /// Reports the feedbacks that are still in memory at the end of the step.
    private func reportSurvivors() {
      // The closure below must not capture the view, because the view would keep its feedbacks in memory.
      let view = "\(viewModel) (view \"\(name)\", screen \"\(screen)\")"
      outbox.answerAtEnd { [unowned service, feedbacks] in
        for case let feedback? in feedbacks.map(\.feedback) where !feedback.hasRuns {
          service.onModelError(
            "\(view): the view is closed, but a feedback of it (\(feedback.stateName)) is still alive; find the closure that "
              + "captures it, and capture it weakly there")
        }
      }
    }
  #endif
}
