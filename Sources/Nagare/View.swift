internal import Flow
internal import RPC
internal import WireJSON

/// An opened screen.
final class View {
  let name: String
  let screen: String
  let viewModel: String
  /// Which of the session's views it is, in the order in which they were opened.
  let number: Int
  let inputs: [(name: String, port: InputPort)]
  let outputs: [OutputSlot]
  /// The structure of the outputs.
  let output: Any?
  private(set) weak var parent: View?
  /// The views that this one opened, by their numbers.
  private var children: [Int: View] = [:]
  private let ports: [WireText: InputPort]
  private let feedbacks: [MadeFeedback]
  /// It holds this view, so it is there as long. A weak reference would make every use of it slower, a ping's among them.
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

  /// Begins to listen to the outputs. What is current by the end is in the answer that tells of the view.
  func connect() {
    // What begins with the first subscriber begins when all are there, so that none misses an event.
    for output in outputs { output.turn?.hold() }
    for output in outputs {
      output.turn?.reportErrors { [weak self] in self?.report($0) }
      output.connect()
    }
    for output in outputs { output.turn?.release() }
    for output in outputs where output.hasCurrentValue { output.markSent() }
  }

  /// Reports an error of the view model's own.
  func report(_ error: String) { service.onModelError("\(viewModel) (view \"\(name)\"): \(error)") }

  /// Whether any of its work is under way, such as a load.
  var isWorking: Bool { outputs.contains { $0.turn?.isWorking == true } }

  /// Whether the client takes items as splices.
  var takesDeltas: Bool { service.client.takesDeltas }

  func port(_ name: WireText) -> InputPort? { ports[name] }

  /// Opens a view that one of the outputs asks for; nil if no more may be open.
  func open(_ navigation: Navigation) -> View? { service.open(navigation, from: self) }

  /// Writes `{name: {"value",…}}` for the outputs that have a current value. Whoever reads it has missed nothing.
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

  /// The views that this one opened, and those that they opened, in the order in which they were opened.
  var descendants: [View] {
    var found = Array(children.values)
    var next = 0
    while next < found.count {
      found += found[next].children.values
      next += 1
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Carries out the rules for the closing of the view, because no more input comes. The view stays open.
  func endInput() {
    for made in feedbacks { made.feedback?.endInput() }
  }

  /// Ends everything that runs for this view; what it has to send is still sent.
  func stop() {
    for output in outputs { output.stop() }
  }

  /// Ends the view: it sends nothing more.
  func close() {
    for output in outputs { output.disconnect() }
    for (_, port) in inputs { port.close() }
    parent?.children[number] = nil
  }

  /// Whether the view model has work under way that outlives the view.
  var hasRuns: Bool { feedbacks.contains { $0.feedback?.hasRuns == true } }

  /// Stops the view model's feedbacks for good, so that feedbacks that refer to each other don't keep each other alive.
  ///
  /// It is called when all views that close together are closed: they may show this one's state.
  func closeFeedbacks() {
    for made in feedbacks { made.feedback?.close() }
    #if DEBUG
      reportSurvivors()
    #endif
  }

  #if DEBUG
    /// Reports the feedbacks that are still alive when the step has ended.
    private func reportSurvivors() {
      // It must not keep the view alive: that would keep the feedbacks.
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
