internal import RPC
internal import WireJSON

/// A method, as OpenRPC describes it.
struct MethodDescription {
  let name: String
  let summary: String
  let params: JSONSchema
  /// Nil for what is a notification.
  let result: JSONSchema?
  let errors: [RPCError.Code]

  init(
    _ name: String, _ summary: String, _ params: JSONSchema, _ result: JSONSchema?, _ errors: [RPCError.Code]
  ) {
    self.name = name
    self.summary = summary
    self.params = params
    self.result = result
    self.errors = errors
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("summary")
    writer.string(summary)
    writer.key("paramStructure")
    writer.string("by-name")
    writer.key("params")
    writer.beginArray()
    for property in params.properties { write(property, to: &writer) }
    writer.endArray()
    if let result {
      writer.key("result")
      writer.beginObject()
      writer.key("name")
      writer.string("result")
      writer.key("schema")
      result.write(to: &writer)
      writer.endObject()
    }
    if !errors.isEmpty {
      writer.key("errors")
      writer.beginArray()
      for error in errors { write(error, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  private func write(_ property: JSONSchema.Property, to writer: inout JSONWriter) {
    var schema = property.schema
    writer.beginObject()
    writer.key("name")
    writer.string(property.name)
    if let description = schema.description {
      writer.key("summary")
      writer.string(description)
      schema.description = nil
    }
    if property.isRequired {
      writer.key("required")
      writer.bool(true)
    }
    writer.key("schema")
    schema.write(to: &writer)
    writer.endObject()
  }

  private func write(_ error: RPCError.Code, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.int(error.rawValue)
    writer.key("message")
    writer.string(RPCError.Code.all.first { $0.code == error }?.name ?? "")
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
    writer.key("name")
    writer.string(name)
    writer.key("screens")
    screens.write(to: &writer)
    writer.key("value")
    value.write(to: &writer)
    if !members.isEmpty {
      writer.key("members")
      JSONSchema(properties: members).write(to: &writer)
    }
    writer.endObject()
  }
}
