/// A JSON Schema, limited to keywords that draft 7 and 2020-12 share.
public struct JSONSchema: Sendable {
  /// A JSON type of a value.
  public enum ValueType: String, Hashable, Sendable {
    case object, array, string, number, integer, boolean, null
  }

  /// A field of an object.
  public struct Property: Sendable {
    /// The field's name.
    public var name: String
    /// The schema of the field's value.
    public var schema: JSONSchema
    /// Whether the field is required.
    public var isRequired: Bool

    /// Describes a field.
    public init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// The allowed types; empty allows all.
  public var types: [ValueType]
  /// The name under which a document may list the schema among its components.
  public var title: String?
  /// The purpose of the value.
  public var description: String?
  /// The fields of an object, in their order.
  public var properties: [Property] = []
  /// The smallest allowed number.
  public var minimum: Int?
  /// The greatest allowed number.
  public var maximum: Int?
  /// The allowed values, as JSON.
  public var cases: [RawJSON] = []
  /// The value that an absent field means.
  public var defaultValue: RawJSON?
  /// The only allowed value.
  public var constant: RawJSON?
  /// Alternative schemas. At least one must hold.
  public var anyOf: [JSONSchema] = []
  /// Whether an object may have only the fields in ``properties``.
  public var isClosed = false
  /// The dialect, which a document declares.
  public var dialect: String?
  /// The name of the component that this schema refers to; see ``write(to:referencePrefix:)``.
  public var reference: String?
  private var itemsBox: [JSONSchema] = []
  private var additionalBox: [JSONSchema] = []

  /// A schema that allows anything.
  public init() { types = [] }

  /// A schema of one type.
  public init(type: ValueType) { types = [type] }

  /// A schema of several types.
  public init(types: [ValueType]) { self.types = types }

  /// A schema of an object with these fields.
  public init(properties: [Property]) {
    types = [.object]
    self.properties = properties
  }

  /// A reference to a schema elsewhere in the document, by name.
  public static func reference(_ name: String) -> JSONSchema {
    var schema = JSONSchema()
    schema.reference = name
    return schema
  }

  /// The schema of an array's elements.
  public var items: JSONSchema? {
    get { itemsBox.first }
    set { itemsBox = newValue.map { [$0] } ?? [] }
  }

  /// The schema of an object's other fields.
  public var additionalProperties: JSONSchema? {
    get { additionalBox.first }
    set { additionalBox = newValue.map { [$0] } ?? [] }
  }

  /// Returns the schema with a description of the value's purpose. An empty description changes nothing.
  public func described(_ text: String) -> JSONSchema {
    var schema = self
    if !text.isEmpty { schema.description = text }
    return schema
  }

  /// Returns the schema with a name under which a document may list it.
  public func titled(_ name: String) -> JSONSchema {
    var schema = self
    schema.title = name
    return schema
  }

  /// The schema with unknown fields forbidden, also in all of its parts.
  public var closed: JSONSchema {
    var schema = self
    schema.isClosed = types == [.object] && additionalProperties == nil
    for index in properties.indices { schema.properties[index].schema = properties[index].schema.closed }
    schema.items = items?.closed
    schema.additionalProperties = additionalProperties?.closed
    schema.anyOf = anyOf.map(\.closed)
    return schema
  }

  /// The schema with `null` allowed, too.
  public var nullable: JSONSchema {
    var schema = JSONSchema()
    if !types.isEmpty, reference == nil, cases.isEmpty, constant == nil {
      schema = self
      if !types.contains(.null) { schema.types.append(.null) }
      return schema
    }
    if types.isEmpty, reference == nil, anyOf.isEmpty, cases.isEmpty, constant == nil { return self }
    schema.anyOf = [self, JSONSchema(type: .null)]
    return schema
  }
}

extension JSONSchema {
  /// The name of a field that is declared twice, in this schema or in a part of it; nil if there is none.
  package var repeatedMember: String? {
    var names: Set<String> = []
    let repeated = properties.first { !names.insert($0.name).inserted }?.name
    let parts = properties.map(\.schema) + itemsBox + additionalBox + anyOf
    return repeated ?? parts.lazy.compactMap(\.repeatedMember).first
  }
}

extension JSONSchema: JSONEncodable {
  /// Writes the schema as an object. References point to the components of an OpenRPC or OpenAPI document.
  public func write(to writer: inout JSONWriter) { write(to: &writer, referencePrefix: "#/components/schemas/") }

  /// Writes the schema as an object. The prefix precedes the name of a component in a `$ref`.
  public func write(to writer: inout JSONWriter, referencePrefix: String) {
    writer.beginObject()
    if let reference {
      // Draft 7 ignores everything next to a reference.
      writer.member("$ref", referencePrefix + reference)
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
