internal import Flow
internal import RPC
internal import WireJSON

/// A view model made ready for the wire: its inputs and outputs by the names of their properties, in their order.
struct ViewModelBinding {
  private let found: PropertyCollector.Found

  var inputs: [(name: String, port: InputPort)] { found.inputs }
  var presenters: [Presenter] { found.presenters }
  var outputs: [OutputSlot] { found.outputs }
  var output: Any? { found.output }
  /// The names of the inputs and outputs that not all screens of the kind have.
  var optionalNames: Set<String> { found.optionalNames }
  /// The name of the view whose state is shared, and with which this one closes.
  var parent: String?
  /// The feedbacks that the view model made in `transform`.
  private(set) var feedbacks: [MadeFeedback] = []

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
      // Only the view model's author can mend this, and it shows at the program's first start. `Screen` and `Opened` don't
      // throw it, because their callers could do nothing about it.
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
    var binding = ViewModelBinding(found: PropertyCollector.Found(isThorough: isThorough))
    let input = model.makeInput()
    PropertyCollector.collect(input, in: "\(Model.self).Input", into: binding.found)
    let (output, feedbacks) = clock.timers.recordFeedbacks { model.transform(input, on: clock) }
    binding.feedbacks = feedbacks
    PropertyCollector.collect(output, in: "\(Model.self).Output", into: binding.found)
    try binding.found.check()
    binding.found.output = output
    return (binding, input, output)
  }

  /// Finds the failures that no output sends. Each comes with the remedy.
  ///
  /// It reads the outputs, so a view model with made-up parameters must not be asked.
  func findUnsentFailures() -> [String] {
    let outputs = PropertyCollector.Found(isThorough: true)
    if let output = output as? any Encodable { PropertyCollector.collect(output, in: "Output", into: outputs) }
    return feedbacks.flatMap { $0.feedback?.findUnsentFailures(outputs.haveOutputsChanged) ?? [] }
  }

  private init(found: PropertyCollector.Found) { self.found = found }
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
