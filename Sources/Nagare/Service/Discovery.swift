internal import RPC
internal import WireJSON

/// The OpenRPC 1.3 document of a service: its methods, the session's and the inputs of its view models; under `x-`
/// names, which OpenRPC leaves to its users, the screens, and what the server says and asks.
struct Discovery {
  let service: Service

  init(_ service: Service) { self.service = service }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("openrpc")
    writer.string("1.3.2")
    writer.key("info")
    writer.beginObject()
    writer.key("title")
    writer.string("Nagare")
    writer.key("description")
    writer.string("View models of an app, driven as JSON-RPC 2.0: inputs are methods, outputs are notifications.")
    writer.key("version")
    writer.string(Service.protocolVersion)
    writer.endObject()
    writer.key("methods")
    writer.beginArray()
    for method in sessionMethods + inputMethods { method.write(to: &writer) }
    writer.endArray()
    writeErrors(to: &writer)
    writer.key("x-screens")
    writer.beginArray()
    for screen in service.screens { write(screen, to: &writer) }
    writer.endArray()
    writer.key("x-viewModels")
    writer.beginArray()
    for viewModel in viewModels { viewModel.write(to: &writer) }
    writer.endArray()
    writer.key("x-tasks")
    writer.beginArray()
    for task in TaskDescription.all { task.write(to: &writer) }
    writer.endArray()
    writer.key("x-notifications")
    writer.beginArray()
    for output in outputs { output.write(to: &writer) }
    closed.write(to: &writer)
    writer.endArray()
    writer.key("x-serverRequests")
    writer.beginArray()
    for request in serverRequests { request.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  /// A screen with its inputs and outputs, and what the `params` of its `open` may be; nothing where only other views
  /// open it.
  private func write(_ screen: Screen, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("screen")
    writer.string(screen.name)
    writer.key("viewModel")
    writer.string(screen.viewModel)
    writer.key("inputs")
    screen.prototype.inputs.map(\.name).write(to: &writer)
    writer.key("outputs")
    screen.prototype.outputs.map(\.name).write(to: &writer)
    if screen.isOpenable {
      writer.key("params")
      screen.parameters.write(to: &writer)
    }
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
      MethodDescription(method.name, method.summary, method.params, method.result, method.errors)
    }
  }

  private var serverRequests: [MethodDescription] {
    let empty = JSONSchema(properties: [])
    return [
      MethodDescription(
        "present", "Asks the client to have the user do a task.", PresentParams.schema, PresentResult.schema, []),
      MethodDescription(
        "source/page", "Asks the client for a page of a source that it offers.", SourcePageParams.schema,
        SourcePageParams.resultSchema, []),
      MethodDescription(
        "source/insert", "Asks the client to take an item into a source that it offers.", SourceInsertParams.schema,
        empty, []),
      MethodDescription(
        "source/remove", "Asks the client to take an item out of a source that it offers.", SourceRemoveParams.schema,
        empty, []),
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
        name, summary, merged(schemas), WaitResult.schema, [.methodNotFound, .invalidParams, .noSuchView])
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
      name: "closed", screens: service.screens.filter { !$0.isOpenable }.map(\.name), value: Nothing.schema,
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
