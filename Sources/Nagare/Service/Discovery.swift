internal import RPC
internal import WireJSON

/// The OpenRPC 1.3 document of a service: its methods, the session's and the inputs of its view models; under `x-`
/// names, which OpenRPC leaves to its users, the screens, and what the server says and asks.
struct Discovery {
  let service: Service

  init(_ service: Service) { self.service = service }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("openrpc", "1.3.2")
    writer.key("info")
    writer.beginObject()
    writer.member("title", "Nagare")
    writer.member(
      "description", "View models of an app, driven as JSON-RPC 2.0: inputs are methods, outputs are notifications.")
    writer.member("version", Service.protocolVersion)
    writer.endObject()
    writer.array("methods", sessionMethods + inputMethods) { $0.write(to: &$1) }
    writeErrors(to: &writer)
    writer.array("x-screens", service.screens) { write($0, to: &$1) }
    writer.array("x-viewModels", viewModels) { $0.write(to: &$1) }
    writer.array("x-tasks", TaskDescription.all) { $0.write(to: &$1) }
    writer.array("x-notifications", outputs + [closed]) { $0.write(to: &$1) }
    writer.array("x-serverRequests", serverRequests) { $0.write(to: &$1) }
    writer.endObject()
  }

  /// A screen with its inputs and outputs, and what the `params` of its `open` may be; nothing where only other views
  /// open it.
  private func write(_ screen: Screen, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("screen", screen.name)
    writer.member("viewModel", screen.viewModel)
    writer.member("inputs", screen.prototype.inputs.map(\.name))
    writer.member("outputs", screen.prototype.outputs.map(\.name))
    if screen.isOpenable { writer.member("params", screen.parameters) }
    writer.endObject()
  }

  /// All errors that the protocol knows.
  private func writeErrors(to writer: inout JSONWriter) {
    writer.key("components")
    writer.beginObject()
    writer.key("errors")
    writer.beginObject()
    for (code, name, summary) in RPCError.Code.all {
      writer.key(name)
      writer.beginObject()
      writer.member("code", code.rawValue)
      writer.member("message", summary)
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }

  /// The kinds of view model that the screens are of, each once.
  private var viewModels: [ViewModelDescription] {
    var known: Set<String> = []
    return service.screens.filter { known.insert($0.viewModel).inserted }.map { ViewModelDescription(of: $0) }
  }

  var sessionMethods: [MethodDescription] {
    Service.sessionMethods.filter { service.hasVirtualClock || $0 != AdvanceClock.self }.map { method in
      MethodDescription(
        name: method.name, summary: method.summary, params: method.params, result: method.result, errors: method.errors)
    }
  }

  private var serverRequests: [MethodDescription] {
    let empty = JSONSchema(properties: [])
    return [
      MethodDescription(
        name: "present", summary: "Asks the client to have the user do a task.", params: PresentParams.schema,
        result: PresentResult.schema),
      MethodDescription(
        name: "source/page", summary: "Asks the client for a page of a source that it offers.",
        params: SourcePageParams.schema, result: SourcePageParams.resultSchema),
      MethodDescription(
        name: "source/insert", summary: "Asks the client to take an item into a source that it offers.",
        params: SourceInsertParams.schema, result: empty),
      MethodDescription(
        name: "source/remove", summary: "Asks the client to take an item out of a source that it offers.",
        params: SourceRemoveParams.schema, result: empty),
    ]
  }

  /// Every input of every screen, each name once, with the parameters of all that have it.
  private var inputMethods: [MethodDescription] {
    let ports = service.screens.flatMap { screen in
      screen.prototype.inputs.map { (screen.name, $0.name, $0.port.parameters) }
    }
    return unique(ports).map { name, screens, schemas in
      let summary = "An input of the screens \(screens.joined(separator: ", "))."
      return MethodDescription(
        name: name, summary: summary, params: merged(schemas), result: JSONSchema(properties: []),
        errors: [.methodNotFound, .invalidParams, .noSuchView])
    }
  }

  private var outputs: [OutputDescription] {
    let slots = service.screens.flatMap { screen in screen.prototype.outputs.map { (screen.name, $0.name, $0.schema) } }
    let told = service.screens.flatMap(\.prototype.outputs)
    return unique(slots).map { name, screens, schemas in
      OutputDescription(
        name: name, screens: screens, value: schemas.count == 1 ? schemas[0] : anyOf(schemas),
        members: told.first { $0.name == name }?.memberSchemas ?? [])
    }
  }

  /// What a view says that closes because the one that opened it does.
  private var closed: OutputDescription {
    OutputDescription(
      name: "closed", screens: service.screens.filter { !$0.isOpenable }.map(\.name), value: Occurrence.schema,
      members: [])
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

  /// The parameters of an input: those of each kind of view model that has it, and the view.
  private func merged(_ schemas: [JSONSchema]) -> JSONSchema {
    var properties = ViewParams.schema.properties
    for property in schemas.flatMap(\.properties) where !properties.contains(where: { $0.name == property.name }) {
      var property = property
      if schemas.count > 1 { property.isRequired = false }
      properties.append(property)
    }
    return JSONSchema(properties: properties)
  }
}

/// A method, as OpenRPC describes it.
struct MethodDescription {
  let name: String
  let summary: String
  let params: JSONSchema
  /// Nil for what is a notification.
  let result: JSONSchema?
  var errors: [RPCError.Code] = []

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("summary", summary)
    writer.member("paramStructure", "by-name")
    writer.array("params", params.properties) { write($0, to: &$1) }
    if let result {
      writer.key("result")
      writer.beginObject()
      writer.member("name", "result")
      writer.member("schema", result)
      writer.endObject()
    }
    if !errors.isEmpty {
      writer.array("errors", errors) { write($0, to: &$1) }
    }
    writer.endObject()
  }

  private func write(_ property: JSONSchema.Property, to writer: inout JSONWriter) {
    var schema = property.schema
    writer.beginObject()
    writer.member("name", property.name)
    if let description = schema.description {
      writer.member("summary", description)
      schema.description = nil
    }
    if property.isRequired { writer.member("required", true) }
    writer.member("schema", schema)
    writer.endObject()
  }

  private func write(_ error: RPCError.Code, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("code", error.rawValue)
    writer.member("message", RPCError.Code.all.first { $0.code == error }?.name ?? "")
    writer.endObject()
  }
}

/// What a view says.
struct OutputDescription {
  let name: String
  let screens: [String]
  let value: JSONSchema
  /// What stands beside the value, or in its place.
  let members: [JSONSchema.Property]

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("screens", screens)
    writer.member("value", value)
    if !members.isEmpty { writer.member("members", JSONSchema(properties: members)) }
    writer.endObject()
  }
}

/// A kind of view model, as a generator of clients needs to know it: apart from the others that share a name with it.
struct ViewModelDescription {
  private let screen: Screen

  /// The kind of a screen that is of it.
  init(of screen: Screen) { self.screen = screen }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("viewModel", screen.viewModel)
    if let summary = screen.summary(of: "") { writer.member("summary", summary) }
    if screen.isMadeByConfiguration { writer.member("configured", true) }
    writer.array("inputs", screen.prototype.inputs) { input, writer in
      begin(input.name, in: &writer)
      writer.member("params", input.port.parameters)
      writer.endObject()
    }
    writer.array("outputs", screen.prototype.outputs) { output, writer in
      begin(output.name, in: &writer)
      writer.member("kind", (output.isSignal ? .event : output.kind).rawValue)
      writer.member("value", output.schema)
      writer.endObject()
    }
    writer.endObject()
  }

  private func begin(_ name: String, in writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    if let summary = screen.summary(of: name) { writer.member("summary", summary) }
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

extension JSONWriter {
  /// Writes a member that is an array.
  fileprivate mutating func array<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }
}
