internal import RPC
internal import WireJSON

/// Creates the OpenRPC 1.3 document of a service. Its methods are those of the session and the inputs of the view
/// models. The screens, the notifications and the server's requests are under names with `x-`, which OpenRPC reserves
/// for extensions.
struct Discovery {
  let service: Service

  init(_ service: Service) { self.service = service }

  /// Returns the document with only these fields.
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

  /// The kinds of view model that the screens have, each once.
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

  /// All inputs of all screens, one method for each name, with the parameters of all inputs of that name.
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

  /// The notification that a view sends when it closes because its parent closes.
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

  /// Merges the parameters of all inputs of one name, and adds the parameters that every input has.
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
  /// The parameters that every input has in addition to its own. An input's own parameters can't have these names.
  static var parametersOfEveryInput: [Property] { ViewParams.schema.properties + WaitParams.schema.properties }
}

// MARK: - The document

/// The document as it is written. Fields that the client didn't request are nil.
struct DiscoveryDocument: Encodable {
  struct Info: Encodable {
    let title = "Nagare"
    let description = "View models of an app, driven as JSON-RPC 2.0: inputs are methods, outputs are notifications."
    let version = Service.protocolVersion
  }

  struct Components: Encodable {
    let errors = ErrorDescriptions()
  }

  /// The fields of the document.
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

/// All errors of the protocol, by their names and in their order.
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

/// A method in OpenRPC's form.
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
  /// Nil for a notification.
  let result: Content?
  /// The errors specific to this method; nil if there are none.
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

/// A screen with the names of its inputs and outputs.
struct ScreenEntry: Encodable {
  let screen: String
  let viewModel: String
  let inputs: [String]
  let outputs: [String]
  /// The name of the items' id field; nil if it is `id`.
  let id: String?
  /// The schema of the `params` of `open`; nil if only other views open the screen.
  let params: JSONSchema?
  /// How frontends show the screen; nil if they guess.
  let display: Display?
  /// The question that the server asks before a removal; nil if it asks none.
  let confirmRemoval: String?

  init(of screen: Screen) {
    self.screen = screen.name
    viewModel = screen.viewModel
    inputs = screen.prototype.inputs.map(\.name)
    outputs = screen.prototype.outputs.map(\.name)
    id = screen.itemID
    params = screen.isOpenable ? screen.parameters : nil
    display = screen.display
    confirmRemoval = screen.confirmRemoval
  }
}

/// An output of all screens that have one of this name.
struct OutputDescription: Encodable {
  let name: String
  let screens: [String]
  let value: JSONSchema
  /// The schemas of the fields next to the value, or of those that replace it.
  let members: JSONSchema?
}

/// A kind of view model, for generators of client code. Its inputs and outputs aren't merged with those of other kinds
/// that have the same names.
struct ViewModelDescription: Encodable {
  struct Input: Encodable {
    let name: String
    let summary: String?
    /// True if only screens whose definition requests the input have it.
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
  /// True if the configuration determines the inputs and outputs.
  let configured: Bool?
  let inputs: [Input]
  let outputs: [Output]

  /// Describes the kind of view model that a screen has.
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

/// How an output sends its values. It follows from the type of the output.
enum OutputKind: String {
  /// It always has a current value. Each value that differs from the one before is sent.
  case state
  /// A state with a revision. Changes may be sent as splices.
  case list
  /// It has no current value. Each value is sent.
  case event
}
