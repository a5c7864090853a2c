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
    for output in outputs { output.turns?.hold() }
    for output in outputs {
      output.turns?.reportErrors { [weak self] in self?.report($0) }
      output.connect()
    }
    for output in outputs { output.turns?.release() }
    for output in outputs where output.hasCurrentValue { output.markSent() }
  }

  /// Reports an error of the view model's own.
  func report(_ error: String) { service.onModelError("\(viewModel) (view \"\(name)\"): \(error)") }

  /// Whether any of its work is under way, such as a load.
  var isWorking: Bool { outputs.contains { $0.turns?.isWorking == true } }

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
}

/// A view model made ready for the wire: its inputs and outputs by the names of their properties, in their order.
struct ViewModelBinding {
  private let found: Lister.Found

  var inputs: [(name: String, port: InputPort)] { found.inputs }
  var presenters: [Presenter] { found.presenters }
  var outputs: [OutputSlot] { found.outputs }
  var output: Any? { found.output }
  /// The names of the inputs and outputs that not all screens of the kind have.
  var optionalNames: Set<String> { found.optionalNames }
  /// The name of the view whose state is shared, and with which this one closes.
  var parent: String?

  /// That of a new view. Who opens the view is told of an error in the view model's declaration.
  init<Model: ViewModel>(opening model: Model, on clock: any Scheduler) throws(RPCError) {
    do throws(DeclarationError) {
      self = try ViewModelBinding.make(model, on: clock).0
    } catch {
      throw RPCError(.internalError, "the view model can't be opened: \(error.description)")
    }
  }

  /// That of a view model as it is defined, before anything runs. An error in its declaration ends the program.
  static func define<Model: ViewModel>(
    _ model: Model, on clock: any Scheduler = VirtualScheduler()
  ) -> (ViewModelBinding, Model.Input, Model.Output) {
    do throws(DeclarationError) {
      return try checking(model, on: clock)
    } catch {
      // What a program's own code declares wrong can't be put right by anybody who runs it, and shows at its first start.
      fatalError(error.description)
    }
  }

  /// Makes a view model's inputs and outputs, lists them, and looks at all that can be wrong with them.
  static func checking<Model: ViewModel>(
    _ model: Model, on clock: any Scheduler
  ) throws(DeclarationError) -> (ViewModelBinding, Model.Input, Model.Output) {
    try make(model, on: clock, isThorough: true)
  }

  private static func make<Model: ViewModel>(
    _ model: Model, on clock: any Scheduler, isThorough: Bool = false
  ) throws(DeclarationError) -> (ViewModelBinding, Model.Input, Model.Output) {
    let binding = ViewModelBinding(found: Lister.Found(isThorough: isThorough))
    let input = model.makeInput()
    Lister.list(input, in: "\(Model.self).Input", into: binding.found)
    let output = model.transform(input, on: clock)
    Lister.list(output, in: "\(Model.self).Output", into: binding.found)
    try binding.found.check()
    binding.found.output = output
    return (binding, input, output)
  }

  private init(found: Lister.Found) { self.found = found }
}

/// A ``Port`` whatever its values are.
struct InputPort {
  private let schema: () -> JSONSchema
  /// Takes a call of the method, and answers when all that it began is over, if that is wanted.
  let receive: (RawJSON?, ((Outcome) -> Void)?) throws(RPCError) -> Void
  /// Takes no more calls.
  let close: () -> Void

  init<Value>(_ port: Port<Value>, _ reading: PortReading<Value>) {
    schema = { reading.parameters }
    receive = { params, answer throws(RPCError) in
      if let error = port.receive(try reading.read(params), whenOver: answer) { throw RPCError(refusal: error) }
    }
    close = port.close
  }

  /// What the method's parameters are, for who asks what can be called.
  var parameters: JSONSchema { schema() }
}

/// A ``Driver`` or a ``Signal``, whatever its values are.
protocol AnyOutput {
  /// Makes what sends it; nil if its values can't be sent.
  func makeSlot(named name: String) -> OutputSlot?
}

extension Driver: AnyOutput {
  func makeSlot(named name: String) -> OutputSlot? {
    let stream = asObservable()
    let slot = (Value.self as? any SharedValue.Type).flatMap { shared($0) } ?? OutputSlot.make(name, for: stream)
    slot?.turns = turns
    slot?.hasCurrentValue = true
    return slot
    func shared<Shared: SharedValue>(_ type: Shared.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Shared> { SharedValueSlot(name, stream) } else { nil }
    }
  }
}

extension Signal: AnyOutput {
  func makeSlot(named name: String) -> OutputSlot? {
    if let signal = self as? Signal<Void> { return signal.map(Nothing.init).makeSlot(named: name) }
    let slot = OutputSlot.make(name, for: asObservable())
    slot?.turns = turns
    return slot?.kind == .list ? nil : slot
  }
}

extension OutputSlot {
  // Here and above, `map` in the place of `if` would make a second copy of the stream, by its type's metadata.
  fileprivate static func make<Element>(_ name: String, for stream: Observable<Element>) -> OutputSlot? {
    func slot<Value: OutputValue>(_ type: Value.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Value> { Value.makeSlot(named: name, for: stream) } else { nil }
    }
    func plainSlot<Value: Encodable>(_ type: Value.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Value> { .plain(name, stream, schema: JSONSchema(of: type)) } else { nil }
    }
    if let type = Element.self as? any OutputValue.Type { return slot(type) }
    return (Element.self as? any Encodable.Type).flatMap { plainSlot($0) }
  }
}

/// What a signal without a value sends: `{}`.
struct Nothing: Record {
  static let fields = Fields(Nothing.init)
}

/// What is wrong with a view model's inputs or outputs, with the remedy, for who wrote them.
struct DeclarationError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func notListed(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)); an input must be a Port, a Trigger, a Presenter, or the inputs of another view"
        + " model, an output a Driver, a Signal of values that can be sent, or a structure of these")
  }

  static func unreadableInput(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) is a port of another view model's state, which can't be called from outside, and so is no input")
  }

  static func unnamedParameter(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)) whose value has no members to be the parameters; name the one parameter, as"
        + " in Port<Int>(\"seconds\")")
  }

  static func absent(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError("\(path) is nil; every view has all its inputs and outputs, so declare \(named(type))")
  }

  static func usedTwice(_ path: String, _ name: String) -> DeclarationError {
    DeclarationError(
      "\(path) is the same port as the input \"\(name)\"; each property of each view needs a port of its"
        + " own, to which forward(to:) passes values on")
  }

  static func repeatedMember(_ path: String, _ member: String) -> DeclarationError {
    DeclarationError("\(path) has values that declare the member \"\(member)\" twice; name one of them otherwise")
  }

  static func takenParameter(_ path: String, _ parameter: String) -> DeclarationError {
    DeclarationError(
      "\(path) has a parameter called '\(parameter)', which stands beside the parameters of every input;"
        + " name it otherwise")
  }

  static func takenInputName(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) has the name of one of the session's own methods, so that no client could call it;"
        + " rename the property")
  }

  static func takenOutputName(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) has the name of the session's own notification of a view's end;"
        + " rename the property")
  }

  static func repeated(_ path: String, _ kind: String) -> DeclarationError {
    DeclarationError(
      "\(path) has the name of another \(kind), declared before it or held with another view model's;"
        + " rename the property, or hold the other by @Nested")
  }

  static func noOutput(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)), whose values can't be sent; a Signal's values must be Encodable, as numbers, strings"
        + " and arrays of them are, or Navigations, and a list needs a Driver")
  }
}

/// A type with its article.
private func named(_ type: Any.Type) -> String {
  let type = "\(type)"
  return "\(type.first.map("AEIOU".contains) == true ? "an" : "a") \(type)"
}
