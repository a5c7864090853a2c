internal import RPC
internal import WireJSON

/// The OpenRPC 1.3 document of a service: its methods, the session's and the inputs of its view models; under `x-`
/// names, which OpenRPC leaves to its users, the screens, and what the server says and asks.
struct Discovery {
  let service: Service

  init(_ service: Service) { self.service = service }

  /// The document, with these of its members alone.
  func document(of members: [DiscoveryDocument.Member]) -> DiscoveryDocument {
    func when<Value>(_ member: DiscoveryDocument.Member, _ value: @autoclosure () -> Value) -> Value? {
      members.contains(member) ? value() : nil
    }
    return DiscoveryDocument(
      openrpc: when(.openrpc, "1.3.2"), info: when(.info, .init()),
      methods: when(.methods, sessionMethods + inputMethods), components: when(.components, .init()),
      screens: when(.screens, service.screens.map { ScreenEntry(of: $0) }), viewModels: when(.viewModels, viewModels),
      tasks: when(.tasks, TaskDescription.all), notifications: when(.notifications, outputs + [closed]),
      serverRequests: when(.serverRequests, serverRequests))
  }

  /// The kinds of view model that the screens are of, each once.
  private var viewModels: [ViewModelDescription] {
    var known: Set<String> = []
    return service.screens.filter { known.insert($0.viewModel).inserted }.map { ViewModelDescription(of: $0) }
  }

  var sessionMethods: [MethodDescription] {
    Service.sessionMethods.filter { service.hasVirtualClock || $0 != AdvanceClock.self }.map { method in
      MethodDescription(method.name, method.summary, method.params, method.result, method.errors)
    }
  }

  private var serverRequests: [MethodDescription] {
    let present = MethodDescription(
      "present", "Requests that the client presents a task to the user.", PresentParams.schema, PresentResult.schema, []
    )
    return [present]
      + SourceMethod.all.map { method in
        MethodDescription(method.name, method.summary, method.params(), method.result?(), [])
      }
  }

  /// Every input of every screen, each name once, with the parameters of all that have it.
  private var inputMethods: [MethodDescription] {
    let ports = service.screens.flatMap { screen in
      screen.prototype.inputs.map { (screen.name, $0.name, $0.port.parameters) }
    }
    return unique(ports).map { name, screens, schemas in
      let summary = "An input of the screens \(screens.joined(separator: ", "))."
      return MethodDescription(
        name, summary, merged(schemas), WaitResult.schema, [.methodNotFound, .invalidParams, .noSuchView])
    }
  }

  private var outputs: [OutputDescription] {
    let slots = service.screens.flatMap { screen in screen.prototype.outputs.map { (screen.name, $0.name, $0.schema) } }
    let told = service.screens.flatMap(\.prototype.outputs)
    return unique(slots).map { name, screens, schemas in
      let members = told.first { $0.name == name }?.memberSchemas ?? []
      return OutputDescription(
        name: name, screens: screens, value: schemas.count == 1 ? schemas[0] : anyOf(schemas),
        members: members.isEmpty ? nil : JSONSchema(properties: members))
    }
  }

  /// What a view says that closes because the one that opened it does.
  private var closed: OutputDescription {
    OutputDescription(
      name: "closed", screens: service.screens.filter(\.isOpenedByOthers).map(\.name), value: Nothing.schema,
      members: nil)
  }

  private func unique(
    _ parts: [(screen: String, name: String, schema: JSONSchema)]
  ) -> [(name: String, screens: [String], schemas: [JSONSchema])] {
    var names: [String] = []
    for part in parts where !names.contains(part.name) { names.append(part.name) }
    return names.map { name in
      let own = parts.filter { $0.name == name }
      let schemas = own.map(\.schema).reduce(into: [JSONSchema]()) { known, schema in
        if !known.contains(where: { $0.json.text == schema.json.text }) { known.append(schema) }
      }
      return (name, own.map(\.screen), schemas)
    }
  }

  private func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = schemas
    return schema
  }

  /// The parameters of an input: those of each kind of view model that has it, and those that every input has.
  private func merged(_ schemas: [JSONSchema]) -> JSONSchema {
    var properties = JSONSchema.parametersOfEveryInput
    for property in schemas.flatMap(\.properties) where !properties.contains(where: { $0.name == property.name }) {
      var property = property
      if schemas.count > 1 { property.isRequired = false }
      properties.append(property)
    }
    return JSONSchema(properties: properties)
  }
}

extension JSONSchema {
  /// What stands beside an input's own parameters, none of which may be called so.
  static var parametersOfEveryInput: [Property] { ViewParams.schema.properties + WaitParams.schema.properties }
}

// MARK: - The document

/// The document as it is written: its properties are its members, of which those are nil that nobody wants.
struct DiscoveryDocument: Encodable {
  struct Info: Encodable {
    let title = "Nagare"
    let description = "View models of an app, driven as JSON-RPC 2.0: inputs are methods, outputs are notifications."
    let version = Service.protocolVersion
  }

  struct Components: Encodable {
    let errors = ErrorDescriptions()
  }

  /// Its members, by their names.
  enum Member: String, CodingKey, JSONStringEnum {
    case openrpc, info, methods, components
    case screens = "x-screens"
    case viewModels = "x-viewModels"
    case tasks = "x-tasks"
    case notifications = "x-notifications"
    case serverRequests = "x-serverRequests"
  }

  typealias CodingKeys = Member

  let openrpc: String?
  let info: Info?
  let methods: [MethodDescription]?
  let components: Components?
  let screens: [ScreenEntry]?
  let viewModels: [ViewModelDescription]?
  let tasks: [TaskDescription]?
  let notifications: [OutputDescription]?
  let serverRequests: [MethodDescription]?
}

/// All errors that the protocol knows, by their names and in their order.
struct ErrorDescriptions: Encodable {
  func encode(to encoder: any Encoder) throws {
    var errors = encoder.container(keyedBy: PropertyName.self)
    for (code, name, summary) in RPCError.Code.all {
      try errors.encode(ErrorDescription(code: code.rawValue, message: summary), forKey: PropertyName(name))
    }
  }
}

struct ErrorDescription: Encodable {
  let code: Int
  let message: String
}

/// A method, as OpenRPC describes it.
struct MethodDescription: Encodable {
  struct Content: Encodable {
    let name: String
    var summary: String?
    var required: Bool?
    let schema: JSONSchema
  }

  let name: String
  let summary: String
  let paramStructure = "by-name"
  let params: [Content]
  /// Nil for what is a notification.
  let result: Content?
  /// Nil where none belongs to it.
  let errors: [ErrorDescription]?

  init(
    _ name: String, _ summary: String, _ params: JSONSchema, _ result: JSONSchema?, _ errors: [RPCError.Code]
  ) {
    self.name = name
    self.summary = summary
    self.params = params.properties.map { property in
      var schema = property.schema
      schema.description = nil
      return Content(
        name: property.name, summary: property.schema.description, required: property.isRequired ? true : nil,
        schema: schema)
    }
    self.result = result.map { Content(name: "result", schema: $0) }
    let named = errors.map { code in
      ErrorDescription(code: code.rawValue, message: RPCError.Code.all.first { $0.code == code }?.name ?? "")
    }
    self.errors = named.isEmpty ? nil : named
  }
}

/// A screen with its inputs and outputs.
struct ScreenEntry: Encodable {
  let screen: String
  let viewModel: String
  let inputs: [String]
  let outputs: [String]
  /// The member of its items that is their id, where that isn't `id`.
  let id: String?
  /// What the `params` of its `open` may be; nothing where only other views open it.
  let params: JSONSchema?
  /// How frontends show it; nil where they guess.
  let display: Display?

  init(of screen: Screen) {
    self.screen = screen.name
    viewModel = screen.viewModel
    inputs = screen.prototype.inputs.map(\.name)
    outputs = screen.prototype.outputs.map(\.name)
    id = screen.itemID
    params = screen.isOpenable ? screen.parameters : nil
    display = screen.display
  }
}

/// What a view says.
struct OutputDescription: Encodable {
  let name: String
  let screens: [String]
  let value: JSONSchema
  /// What stands beside the value, or in its place.
  let members: JSONSchema?
}

/// A kind of view model, as a generator of clients needs to know it: apart from the others that share a name with it.
struct ViewModelDescription: Encodable {
  struct Input: Encodable {
    let name: String
    let summary: String?
    /// True where only those screens have it whose definition asks for it.
    let optional: Bool?
    let params: JSONSchema
  }

  struct Output: Encodable {
    let name: String
    let summary: String?
    let optional: Bool?
    let kind: String
    let value: JSONSchema
  }

  let viewModel: String
  let summary: String?
  /// True where the configuration makes its inputs and outputs.
  let configured: Bool?
  let inputs: [Input]
  let outputs: [Output]

  /// The kind of a screen that is of it.
  init(of screen: Screen) {
    viewModel = screen.viewModel
    summary = screen.summary(of: "")
    configured = screen.isMadeByConfiguration ? true : nil
    let prototype = screen.fullPrototype()
    func optional(_ name: String) -> Bool? { prototype.optionalNames.contains(name) ? true : nil }
    inputs = prototype.inputs.map { name, port in
      Input(name: name, summary: screen.summary(of: name), optional: optional(name), params: port.parameters)
    }
    outputs = prototype.outputs.map { output in
      Output(
        name: output.name, summary: screen.summary(of: output.name), optional: optional(output.name),
        kind: output.kind.rawValue, value: output.schema)
    }
  }
}

/// What becomes of an output's values, by its type.
enum OutputKind: String {
  /// There always is a current one, and each that differs from the one before is said.
  case state
  /// As a state, with a revision; changes may be splices.
  case list
  /// Something happened: none is ever current, and each is said.
  case event
}
