internal import Flow
internal import RPC
internal import WireJSON

/// An opened screen.
final class View {
  let name: String
  let screen: String
  let viewModel: String
  /// Views speak in the order in which they were opened.
  let number: Int
  let inputs: [(name: String, port: InputPort)]
  let outputs: [OutputSlot]
  private(set) weak var parent: View?
  /// The views that this one opened, by their numbers.
  private var children: [Int: View] = [:]
  private let ports: [WireText: InputPort]
  private weak var service: Service?
  private(set) var isDirty = false
  private(set) var isClosed = false

  init(
    name: String, screen: String, viewModel: String, parent: View?, number: Int, assembly: Assembly, service: Service
  ) {
    self.name = name
    self.screen = screen
    self.viewModel = viewModel
    self.parent = parent
    self.number = number
    self.service = service
    inputs = assembly.inputs
    outputs = assembly.outputs
    ports = Dictionary(assembly.inputs.map { (WireText($0.name), $0.port) }) { first, _ in first }
    parent?.children[number] = self
    for output in outputs { output.view = self }
    for presenter in assembly.presenters {
      presenter.answer = { [unowned service] task in service.present(task, in: name) }
    }
  }

  /// Begins to listen to the outputs. What is current by the end is in the answer that tells of the view.
  func connect() {
    // What begins with the first subscriber begins when all are there, so that none misses an event.
    for output in outputs { output.turns?.hold() }
    for output in outputs {
      output.turns?.reportMistakes { [weak self] in self?.report($0) }
      output.connect()
    }
    for output in outputs { output.turns?.release() }
    for output in outputs where output.hasCurrentValue { output.markSaid() }
  }

  /// Tells of a mistake of the view model's.
  func report(_ mistake: String) { service?.onMistake("\(viewModel) (view \"\(name)\"): \(mistake)") }

  /// Whether the client takes items as splices.
  var takesDeltas: Bool { service?.client.takesDeltas ?? false }

  func port(_ name: WireText) -> InputPort? { ports[name] }

  /// Notes that an output changed in this step.
  func touch() {
    guard !isDirty else { return }
    isDirty = true
    service?.touch(self)
  }

  /// Opens a view that one of the outputs asks for; nil if no more may be open.
  func open(_ navigation: Navigation) -> View? { service?.open(navigation, from: self) }

  /// Says what changed in this step.
  func flush(to peer: Peer) {
    isDirty = false
    for output in outputs { output.flush(to: peer) }
  }

  /// Writes `{name: {"value",…}}` for the outputs that have a current value. Whoever reads it has missed nothing.
  func writeOutputs(to writer: inout JSONWriter) {
    writer.beginObject()
    for output in outputs where output.hasCurrentValue {
      writer.key(output.name)
      writer.beginObject()
      output.markSaid()
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

  /// Ends everything that runs for this view; what it has to say still is said.
  func stop() {
    for output in outputs { output.stop() }
  }

  /// Ends the view: it says nothing more.
  func close() {
    isClosed = true
    for output in outputs { output.disconnect() }
    for (_, port) in inputs { port.close() }
    parent?.children[number] = nil
  }
}
