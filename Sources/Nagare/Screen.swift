internal import Flow
internal import RPC
internal import WireJSON

/// The definition of a screen: a name, a view model and its parameters. A view is one open screen.
///
/// ```swift
/// Screen { Articles(load: load) }                                               // open {"screen":"articles"}
/// Screen("article", parameter: "id") { id in Detail(of: id) }                   // … "params":{"id":"a7"}
/// Screen("found") { (query: Query) in Articles(query) }                         // … "params":{"text":"swift"}
/// ```
/// By default, the kind of view model has the name of its type, with a lowercase first letter. By default, the screen
/// has the name of that kind.
public struct Screen {
  /// The name by which `open` names the screen.
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
  ///   - name: the name by which `open` names the screen.
  ///   - viewModel: the name of the kind of view model.
  ///   - make: creates a view model for each view. It is also called once to describe the screen, so it must begin no
  ///     work.
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

  /// A screen that a client opens with several parameters.
  ///
  /// - Parameters:
  ///   - name: the name by which `open` names the screen.
  ///   - viewModel: the name of the kind of view model.
  ///   - example: parameters to describe the screen with. By default they are made up from their type.
  ///   - make: creates a view model for each view, from the `params` of `open`. Unknown fields in `params` are
  ///     refused. It is also called once with the example, to describe the screen, so it must begin no work.
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
  ///   - name: the name by which `open` names the screen.
  ///   - viewModel: the name of the kind of view model.
  ///   - parameter: the name of the parameter in the `params` of `open`.
  ///   - example: a value of the parameter to describe the screen with. By default it is made up from its type.
  ///   - make: creates a view model for each view, from the parameter's value. It is also called once with the
  ///     example, to describe the screen, so it must begin no work.
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
        throw RPCError(.unknownMember(name.string, in: value, known: [parameter]), within: ["params"])
      }
      return make(
        try params.parameter(parameter, within: ["params"]) { json throws(DecodingFailure) in try json.decode() })
    }
  }

  /// A screen that only other views open, by a ``Navigation``.
  ///
  /// - Parameters:
  ///   - name: the name of the screen in the navigation.
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

  /// A screen that a client opens with parameters that `check` may refuse. The example describes the screen.
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

  /// A screen that both clients and other views open. A client's parameters may be refused. They may name the view
  /// whose state is shared: `parent` returns that name. The prototype describes the screen, and is never opened.
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

  /// Makes up a value to describe a screen with. A type for which that is impossible ends the program when the screen
  /// is defined.
  @usableFromInline
  static func example<Value: Decodable>() -> Value {
    if let value = JSONSchema.example(of: Value.self) { return value }
    // Only the author of the screen can correct this mistake, and it shows when the program starts for the first time.
    // Screens are defined by initializers that don't throw, because their callers could do nothing about it.
    fatalError("no \(Value.self) could be created to describe a screen; give the screen an example")
  }

  /// A view model that is never opened. Every view of the screen has its inputs and outputs.
  var prototype: ViewModelBinding { description.prototype }

  /// Returns a prototype with all inputs and outputs of the kind, including those that only some screens have.
  private(set) var fullPrototype: () -> ViewModelBinding

  /// Returns the screen with a prototype that has all inputs and outputs that a screen of its kind can have.
  package func fully(like prototype: @autoclosure @escaping () -> some ViewModel) -> Screen {
    var screen = self
    screen.fullPrototype = { ViewModelBinding.define(prototype()).0 }
    return screen
  }

  /// How frontends show the screen: the screen's own display if it has one, else the view model's.
  var display: Display? { ownDisplay ?? description.display }
  private var ownDisplay: Display?

  /// The first mistake in the screen's display; nil if there is none.
  var displayError: String? {
    guard let json = display?.json else { return nil }
    var context = DecodingContext()
    _ = Display.decode(json, in: &context)
    Display.check(json, on: self, in: &context)
    return context.failures.first.map { "the display of the screen \"\(name)\": \($0.message)" }
  }

  /// Returns the screen with this display, which replaces the view model's. Nil keeps the view model's.
  public func displayed(as display: Display?) -> Screen {
    var screen = self
    screen.ownDisplay = display
    return screen
  }

  /// Returns the screen. Clients can't open it while `refusal` returns a reason.
  ///
  /// ```swift
  /// Screen("profile") { Profile(user) }.refusing {
  ///   user.state.value == nil ? Refusal("screen", mustBe: "opened by a user who has signed in") : nil
  /// }
  /// ```
  ///
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

  /// The name of the field that is the items' id. Nil if that is `id`, or if only the view model knows it.
  private(set) var itemID: String?

  /// Returns the screen with another name for the field that is its items' id.
  package func identifiedBy(_ member: String) -> Screen {
    var screen = self
    screen.itemID = member == "id" ? nil : member
    return screen
  }

  /// The question that the view asks before a removal; nil if it asks none.
  private(set) var confirmRemoval: String?

  /// Returns the screen with the question that its views ask before a removal. Frontends then ask no question of their own.
  package func confirmingRemovals(by question: String?) -> Screen {
    var screen = self
    screen.confirmRemoval = question
    return screen
  }

  /// The schema of the `params` of `open`.
  var parameters: JSONSchema { description.parameters }

  /// Whether the configuration determines the screen's inputs and outputs. Their types don't name them.
  var isMadeByConfiguration: Bool { description.isMadeByConfiguration }

  /// Returns the description of an input or output, or for an empty name that of the view model.
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

  /// Returns a type's name with a lowercase first letter. The Swift runtime searches all protocol conformances for it,
  /// so it isn't called for screens that have a name.
  private static func name<Model>(of type: Model.Type) -> String {
    let name = String(describing: type).prefix { $0 != "<" }
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// The prototype and the parameters of a screen. They are created when they are first needed, so that a service starts
/// faster.
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
