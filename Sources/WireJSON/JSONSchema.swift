/// A JSON Schema, in the words that draft 7 and 2020-12 share.
public struct JSONSchema: Sendable {
  /// The types that a value may have.
  public enum ValueType: String, Hashable, Sendable {
    case object, array, string, number, integer, boolean, null
  }

  /// A member of an object.
  public struct Property: Sendable {
    /// The member's name.
    public var name: String
    /// What the member's value must be.
    public var schema: JSONSchema
    /// Whether the member must be there.
    public var isRequired: Bool

    /// Describes a member.
    public init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// The types allowed; empty allows all.
  public var types: [ValueType]
  /// The name that a document may list the schema by, among its components.
  public var title: String?
  /// What the value is for.
  public var description: String?
  /// An object's members, in their order.
  public var properties: [Property] = []
  /// The least number allowed.
  public var minimum: Int?
  /// The greatest number allowed.
  public var maximum: Int?
  /// The values allowed, each as JSON.
  public var cases: [RawJSON] = []
  /// What an absent value means.
  public var defaultValue: RawJSON?
  /// The only value allowed.
  public var constant: RawJSON?
  /// Schemas of which one must hold.
  public var anyOf: [JSONSchema] = []
  /// Whether an object may have no members but ``properties``.
  public var isClosed = false
  /// The dialect that a document declares.
  public var dialect: String?
  /// The name of a component that this stands for; see ``write(to:referencePrefix:)``.
  public var reference: String?
  private var itemsBox: [JSONSchema] = []
  private var additionalBox: [JSONSchema] = []

  /// A schema that allows anything.
  public init() { types = [] }

  /// A schema of one type.
  public init(type: ValueType) { types = [type] }

  /// A schema of several types.
  public init(types: [ValueType]) { self.types = types }

  /// A schema of an object with these members.
  public init(properties: [Property]) {
    types = [.object]
    self.properties = properties
  }

  /// A schema that stands elsewhere in the document under a name.
  public static func reference(_ name: String) -> JSONSchema {
    var schema = JSONSchema()
    schema.reference = name
    return schema
  }

  /// What an array's elements must be.
  public var items: JSONSchema? {
    get { itemsBox.first }
    set { itemsBox = newValue.map { [$0] } ?? [] }
  }

  /// What an object's other members must be.
  public var additionalProperties: JSONSchema? {
    get { additionalBox.first }
    set { additionalBox = newValue.map { [$0] } ?? [] }
  }

  /// The same, with a description of what the value is for; an empty one changes nothing.
  public func described(_ text: String) -> JSONSchema {
    var schema = self
    if !text.isEmpty { schema.description = text }
    return schema
  }

  /// The same, with a name that a document may list it by.
  public func titled(_ name: String) -> JSONSchema {
    var schema = self
    schema.title = name
    return schema
  }

  /// The same, and whatever it is made of, with no members allowed that aren't named.
  public var closed: JSONSchema {
    var schema = self
    schema.isClosed = types == [.object] && additionalProperties == nil
    for index in properties.indices { schema.properties[index].schema = properties[index].schema.closed }
    schema.items = items?.closed
    schema.additionalProperties = additionalProperties?.closed
    schema.anyOf = anyOf.map(\.closed)
    return schema
  }

  /// The same, with `null` allowed too.
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
  /// The name of a member that is declared twice, here or in a part of it.
  package var repeatedMember: String? {
    var names: Set<String> = []
    let repeated = properties.first { !names.insert($0.name).inserted }?.name
    let parts = properties.map(\.schema) + itemsBox + additionalBox + anyOf
    return repeated ?? parts.lazy.compactMap(\.repeatedMember).first
  }
}

extension JSONSchema: JSONEncodable {
  /// Writes the schema as an object, its references into an OpenRPC or OpenAPI document's components.
  public func write(to writer: inout JSONWriter) { write(to: &writer, referencePrefix: "#/components/schemas/") }

  /// Writes the schema as an object. The prefix stands before a component's name in a `$ref`.
  public func write(to writer: inout JSONWriter, referencePrefix: String) {
    writer.beginObject()
    if let reference {
      // Draft 7 ignores whatever stands beside a reference.
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
