internal import Flow
internal import RPC
internal import WireJSON

/// The definition of a screen: a name, a view model and its parameters. A view is one opened screen.
///
/// ```swift
/// Screen { Articles(load: load) }                                               // open {"screen":"articles"}
/// Screen("article", parameter: "id") { id in Detail(of: id) }                   // … "params":{"id":"a7"}
/// Screen("found") { (query: Query) in Articles(query) }                         // … "params":{"text":"swift"}
/// ```
/// By default, the kind of view model is named after its type with a small first letter, and the screen after that.
public struct Screen {
  /// The name that `open` asks for.
  public let name: String
  /// The name of the kind of view model.
  public let viewModel: String
  let isOpenable: Bool
  let isOpenedByOthers: Bool
  private let description: Description
  private(set) var bind: (RawJSON?, any Scheduler) throws(RPCError) -> ViewModelBinding

  /// A screen without parameters.
  ///
  /// - Parameters:
  ///   - name: the name that `open` asks for.
  ///   - viewModel: the name of the kind of view model.
  ///   - make: makes a view model for each view; it is also asked once to describe the screen, so it starts nothing.
  public init<Model: ViewModel>(
    _ name: String? = nil, viewModel: String? = nil, _ make: @escaping () -> Model
  ) {
    self.init(name, viewModel, JSONSchema(properties: []), describedBy: make()) { json throws(RPCError) in
      if let json, json.kind != .object { throw RPCError("params", mustBe: "an object") }
      if let key = json?.members.first(where: { _ in true })?.key {
        throw RPCError("params.\(key)", mustBe: "left out: this screen has no parameters")
      }
      return make()
    }
  }

  /// A screen that a client opens with parameters of its own.
  ///
  /// - Parameters:
  ///   - name: the name that `open` asks for.
  ///   - viewModel: the name of the kind of view model.
  ///   - example: parameters that it could be opened with, to describe it by; made up where none are given.
  ///   - make: makes a view model for each view, by what `open`'s `params` are read as; unknown keys are refused. It is
  ///     also asked once with the example, to describe the screen, so it starts nothing.
  public init<Model: ViewModel, Parameters: Decodable>(
    _ name: String? = nil, viewModel: String? = nil, example: Parameters = Screen.example(),
    _ make: @escaping (Parameters) -> Model
  ) {
    self.init(name, viewModel, JSONSchema(of: Parameters.self), describedBy: make(example)) { json throws(RPCError) in
      make(
        try (json ?? .emptyObject).parameters(within: ["params"]) { json throws(DecodingFailure) in
          try json.decode(unknownMembers: .reported)
        })
    }
  }

  /// A screen that a client opens with one parameter.
  ///
  /// - Parameters:
  ///   - name: the name that `open` asks for.
  ///   - viewModel: the name of the kind of view model.
  ///   - parameter: the name of the parameter in `open`'s `params`.
  ///   - example: a value that it could have, to describe the screen by; made up where none is given.
  ///   - make: makes a view model for each view, by the parameter's value. It is also asked once with the example, to
  ///     describe the screen, so it starts nothing.
  public init<Model: ViewModel, Value: Decodable>(
    _ name: String? = nil, viewModel: String? = nil, parameter: String, example: Value = Screen.example(),
    _ make: @escaping (Value) -> Model
  ) {
    let property = JSONSchema.Property(parameter: parameter, Value.self)
    self.init(name, viewModel, JSONSchema(properties: [property]), describedBy: make(example)) {
      json throws(RPCError) in
      let params = json ?? .emptyObject
      if params.kind != .object { throw RPCError("params", mustBe: "an object") }
      if let (name, value) = params.members.first(where: { $0.key != WireText(parameter) }) {
        let failure = DecodingFailure(.unknownMember, expected: "'\(parameter)'", in: value, path: [name.string])
        throw RPCError(failure, within: ["params"])
      }
      return make(
        try params.parameter(parameter, within: ["params"]) { json throws(DecodingFailure) in try json.decode() })
    }
  }

  /// A screen that only other views open, by a ``Navigation``.
  ///
  /// - Parameters:
  ///   - name: the name by which the navigation knows it.
  ///   - viewModel: the name of the kind of view model.
  ///   - prototype: a view model of that kind, which describes the screen and is never opened.
  public init<Model: ViewModel>(
    _ name: String? = nil, viewModel: String? = nil, openedByOthersLike prototype: @autoclosure @escaping () -> Model
  ) {
    self.init(name, viewModel, JSONSchema(properties: []), isOpenable: false, describedBy: prototype()) {
      _ throws(RPCError) in
      throw RPCError("screen", mustBe: "one that a client can open; this one is opened by another view's input")
    }
  }

  /// A screen that a client opens with parameters that `check` may refuse. The example is what it is described by.
  package init<Model: ViewModel, Parameters: Record>(
    _ name: String, viewModel: String, example: Parameters,
    checking check: @escaping (Parameters) throws(RPCError) -> Void, _ make: @escaping (Parameters) -> Model
  ) {
    self.init(name, viewModel, JSONSchema(of: Parameters.self), describedBy: make(example)) { json throws(RPCError) in
      let parameters = try (json ?? .emptyObject).parameters(within: ["params"]) { json throws(DecodingFailure) in
        try json.decode(unknownMembers: .reported) as Parameters
      }
      try check(parameters)
      return make(parameters)
    }
  }

  /// A screen that other views open, and clients with parameters that may be refused, and may name the view whose state
  /// is shared. The prototype describes it, and is never opened.
  package init<Model: ViewModel, Parameters: Record>(
    _ name: String, viewModel: String, like prototype: @autoclosure @escaping () -> Model,
    parent: @escaping (Parameters) -> String?, _ make: @escaping (Parameters) throws(RPCError) -> Model
  ) {
    self.viewModel = viewModel
    self.name = name
    (isOpenable, isOpenedByOthers) = (true, true)
    let description = Description(of: Model.self, ViewModelBinding.define(prototype()).0, Parameters.schema)
    self.description = description
    fullPrototype = { description.prototype }
    bind = { json, clock throws(RPCError) in
      let parameters = try (json ?? .emptyObject).parameters(within: ["params"]) { json throws(DecodingFailure) in
        try json.decode(unknownMembers: .reported) as Parameters
      }
      var binding = try ViewModelBinding(opening: try make(parameters), on: clock)
      binding.parent = parent(parameters)
      return binding
    }
  }

  /// A value made up to describe a screen by. That there is none is found out when the screen is defined.
  @usableFromInline
  static func example<Value: Decodable>() -> Value {
    if let value = JSONSchema.example(of: Value.self) { return value }
    // Only the author of the screen can mend this, and it shows at the program's first start. Screens are defined by
    // initializers that don't throw, because a caller could do nothing about it.
    fatalError("no \(Value.self) could be made up to describe a screen by; give the screen an example of one")
  }

  /// A view that is never opened: its inputs and outputs are those of all.
  var prototype: ViewModelBinding { description.prototype }

  /// One that has what only some screens of the kind ask for, too.
  private(set) var fullPrototype: () -> ViewModelBinding

  /// The screen, with a view model of its kind that has all that one can ask for.
  package func fully(like prototype: @autoclosure @escaping () -> some ViewModel) -> Screen {
    var screen = self
    screen.fullPrototype = { ViewModelBinding.define(prototype()).0 }
    return screen
  }

  /// How frontends show it: what was said of the screen, else of its view model.
  var display: Display? { ownDisplay ?? description.display }
  private var ownDisplay: Display?

  /// What is wrong with how it is to be shown; nil if nothing is.
  var displayError: String? {
    guard let json = display?.json else { return nil }
    var context = DecodingContext()
    _ = Display.decode(json, in: &context)
    Display.check(json, on: self, in: &context)
    return context.failures.first.map { "the display of the screen \"\(name)\": \($0.message)" }
  }

  /// The screen, displayed otherwise than its view model says, unless that is nil.
  public func displayed(as display: Display?) -> Screen {
    var screen = self
    screen.ownDisplay = display
    return screen
  }

  /// Returns the screen, which clients can't open while `refusal` returns a reason.
  ///
  /// ```swift
  /// Screen("profile") { Profile(user) }.refusing {
  ///   user.state.value == nil ? Refusal("screen", mustBe: "opened by a user who has signed in") : nil
  /// }
  /// ```
  /// The client's `open` fails with the error -32602. Views that another view opens by a ``Navigation`` aren't refused.
  ///
  /// - Parameter refusal: returns why the screen can't be opened now; nil if it can. It is called for each `open`.
  /// - Returns: the screen.
  public func refusing(_ refusal: @escaping () -> Refusal?) -> Screen {
    var screen = self
    let open = screen.bind
    screen.bind = { json, clock throws(RPCError) in
      if let refusal = refusal() { throw RPCError(refusal: refusal) }
      return try open(json, clock)
    }
    return screen
  }

  /// The member of its items that is their id; nil where that is `id`, or only the view model knows.
  private(set) var itemID: String?

  /// The screen, whose items have their ids in this member.
  package func identifiedBy(_ member: String) -> Screen {
    var screen = self
    screen.itemID = member == "id" ? nil : member
    return screen
  }

  /// What `open`'s `params` may be.
  var parameters: JSONSchema { description.parameters }

  /// Whether its inputs and outputs are others in another configuration: its types don't name them.
  var isMadeByConfiguration: Bool { description.isMadeByConfiguration }

  /// What describes an input or output, or by an empty name the whole.
  func summary(of name: String) -> String? { description.summaries.first { $0.key == name }?.value }

  private init<Model: ViewModel>(
    _ name: String?, _ viewModel: String?, _ parameters: @autoclosure @escaping () -> JSONSchema,
    isOpenable: Bool = true, describedBy prototype: @autoclosure @escaping () -> Model,
    _ make: @escaping (RawJSON?) throws(RPCError) -> Model
  ) {
    self.viewModel = viewModel ?? Screen.name(of: Model.self)
    self.name = name ?? self.viewModel
    self.isOpenable = isOpenable
    isOpenedByOthers = !isOpenable
    let description = Description(of: Model.self, ViewModelBinding.define(prototype()).0, parameters())
    self.description = description
    fullPrototype = { description.prototype }
    bind = { json, clock throws(RPCError) in try ViewModelBinding(opening: try make(json), on: clock) }
  }

  /// A type's name with a small first letter. To find it out makes the runtime look through all conformances that there
  /// are, so who has a name of its own doesn't ask.
  private static func name<Model>(of type: Model.Type) -> String {
    let name = String(describing: type).prefix { $0 != "<" }
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// What is known of a screen, found out when somebody asks: a service starts sooner without.
private final class Description {
  private let makePrototype: () -> ViewModelBinding
  private let makeParameters: () -> JSONSchema
  private let model: any ViewModel.Type
  private(set) lazy var prototype = makePrototype()
  private(set) lazy var parameters = makeParameters()

  init(
    of model: any ViewModel.Type, _ prototype: @autoclosure @escaping () -> ViewModelBinding,
    _ parameters: @autoclosure @escaping () -> JSONSchema
  ) {
    (self.model, makePrototype, makeParameters) = (model, prototype, parameters)
  }

  var summaries: KeyValuePairs<String, String> { model.summaries }

  var display: Display? { model.display }

  var isMadeByConfiguration: Bool { Description.isMadeByConfiguration(model) }

  private static func isMadeByConfiguration<Model: ViewModel>(_: Model.Type) -> Bool {
    Model.Input.self is any ConfiguredPorts.Type
  }
}
