internal import Flow
internal import RPC
internal import WireJSON

/// The inputs and outputs of a view model, with the names and the order of their properties, as the service uses them.
struct ViewModelBinding {
  private let found: PropertyCollector.Found

  var inputs: [(name: String, port: InputPort)] { found.inputs }
  var presenters: [Presenter] { found.presenters }
  var outputs: [OutputSlot] { found.outputs }
  var output: Any? { found.output }
  /// The names of inputs and outputs that only some screens of this kind have.
  var optionalNames: Set<String> { found.optionalNames }
  /// The name of the view whose state this view shares. This view closes when that one closes.
  var parent: String?
  /// The feedbacks that the view model created in `transform`.
  private(set) var feedbacks: [MadeFeedback] = []

  /// Binds the view model of a new view. If a declaration is wrong, opening the view fails.
  init<Model: ViewModel>(opening model: Model, on clock: any Scheduler) throws(RPCError) {
    do throws(DeclarationError) {
      self = try ViewModelBinding.make(model, on: clock).0
    } catch {
      throw RPCError(.internalError, "the view model can't be opened: \(error.description)")
    }
  }

  /// Binds a view model when its screen is defined; no work begins. A mistake in its declaration ends the program.
  static func define<Model: ViewModel>(
    _ model: Model, on clock: any Scheduler = VirtualScheduler()
  ) -> (ViewModelBinding, Model.Input, Model.Output) {
    do throws(DeclarationError) {
      return try checking(model, on: clock)
    } catch {
      // Only the author of the view model can correct this mistake, and it shows when the program starts for the first
      // time. `Screen` and `Opened` don't throw it, because their callers could do nothing about it.
      fatalError(error.description)
    }
  }

  /// Creates and lists a view model's inputs and outputs, and checks everything that can be wrong with them.
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

  /// Finds the failures that no output sends. Each is described with its remedy.
  ///
  /// It evaluates the outputs, so it must not be called for a view model whose parameters are made up.
  func findUnsentFailures() -> [String] {
    let outputs = PropertyCollector.Found(isThorough: true)
    if let output = output as? any Encodable { PropertyCollector.collect(output, in: "Output", into: outputs) }
    return feedbacks.flatMap { $0.feedback?.findUnsentFailures(outputs.haveOutputsChanged) ?? [] }
  }

  private init(found: PropertyCollector.Found) { self.found = found }
}

/// A ``Port`` with values of any type.
struct InputPort {
  private let schema: () -> JSONSchema
  private let names: () -> ParameterNames?
  /// Handles a call of the method. If the call waits, the second argument receives the outcome when all work that the
  /// call began has ended.
  let receive: (RawJSON?, ((Outcome) -> Void)?) throws(RPCError) -> Void
  /// Closes the port: later calls have no effect.
  let close: () -> Void

  init<Value>(_ port: Port<Value>, _ reading: PortReading<Value>) {
    schema = { reading.parameters }
    names = { reading.names }
    receive = { params, answer throws(RPCError) in
      if let error = port.receive(try reading.read(params), whenOver: answer) { throw RPCError(refusal: error) }
    }
    close = port.close
  }

  /// The schema of the method's parameters, for `rpc.discover`.
  var parameters: JSONSchema { schema() }

  /// The names of all parameters that a call may have; nil if it may have parameters of any name.
  var parameterNames: ParameterNames? { names() }
}
