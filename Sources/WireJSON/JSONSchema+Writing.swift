extension JSONSchema: JSONEncodable {
  /// Writes the schema as an object, its references into an OpenRPC or OpenAPI document's components.
  public func write(to writer: inout JSONWriter) { write(to: &writer, referencePrefix: "#/components/schemas/") }

  /// Writes the schema as an object.
  /// - Parameters:
  ///   - writer: Takes the object.
  ///   - referencePrefix: What stands before a component's name in a `$ref`.
  public func write(to writer: inout JSONWriter, referencePrefix: String) {
    writer.beginObject()
    if let reference {
      // Draft 7 ignores whatever stands beside a reference.
      writer.key("$ref")
      writer.string(referencePrefix + reference)
    } else {
      writeAnnotations(to: &writer)
      writeValues(to: &writer)
      writeParts(to: &writer, referencePrefix)
    }
    writer.endObject()
  }

  private func writeAnnotations(to writer: inout JSONWriter) {
    if let dialect { writer.member("$schema", dialect) }
    if let title { writer.member("title", title) }
    if let description { writer.member("description", description) }
  }

  private func writeValues(to writer: inout JSONWriter) {
    if types.count == 1 {
      writer.member("type", types[0].rawValue)
    } else if !types.isEmpty {
      writer.member("type", types.map(\.rawValue))
    }
    if !cases.isEmpty { writer.member("enum", cases) }
    if let constant { writer.member("const", constant) }
    if let minimum { writer.member("minimum", minimum) }
    if let maximum { writer.member("maximum", maximum) }
    if let defaultValue { writer.member("default", defaultValue) }
  }

  private func writeParts(to writer: inout JSONWriter, _ prefix: String) {
    if !properties.isEmpty {
      writer.key("properties")
      writer.beginObject()
      for property in properties {
        writer.key(property.name)
        property.schema.write(to: &writer, referencePrefix: prefix)
      }
      writer.endObject()
    }
    let required = properties.filter(\.isRequired).map(\.name)
    if !required.isEmpty { writer.member("required", required) }
    if let items {
      writer.key("items")
      items.write(to: &writer, referencePrefix: prefix)
    }
    if let additionalProperties {
      writer.key("additionalProperties")
      additionalProperties.write(to: &writer, referencePrefix: prefix)
    }
    if isClosed { writer.member("additionalProperties", false) }
    if !anyOf.isEmpty {
      writer.key("anyOf")
      writer.beginArray()
      for schema in anyOf { schema.write(to: &writer, referencePrefix: prefix) }
      writer.endArray()
    }
  }
}

extension JSONWriter {
  /// Writes a member whole.
  /// - Parameters:
  ///   - name: The name, of ASCII that needs no escapes.
  ///   - value: The value.
  public mutating func member(_ name: StaticString, _ value: some JSONEncodable) {
    key(name)
    value.write(to: &self)
  }
}
