/// A type that is an object in JSON. Its fields are declared once; the decoder, the encoder and the schema use them.
/// ```swift
/// struct Swipe: Record {
///   let to: Direction?
///   let id: ItemID?
///
///   static let fields = Fields(
///     Swipe.init,
///     Field("to", \.to, "Where to go from the page that is shown."),
///     Field("id", \.id, "The item to show."))
/// }
/// ```
public protocol Record: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// The initializer, and the fields in the order of its parameters.
  static var fields: Fields<Self> { get }
}

extension Record {
  /// Reads an object. Unknown fields are ignored. Of duplicates the last counts.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an object, and reports everything that is wrong with its fields.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self? {
    fields.decode(json, in: &context)
  }

  /// Writes an object, without the fields that are nil.
  public func write(to writer: inout JSONWriter) { Self.fields.encode(self, to: &writer) }

  /// An object with the fields as its properties.
  public static var schema: JSONSchema { JSONSchema(properties: fields.properties) }
}

extension DecodingFailure {
  /// The failure of a missing required field.
  @usableFromInline
  static func missing(_ property: JSONSchema.Property, in object: RawJSON) -> DecodingFailure {
    DecodingFailure(.missing, expected: property.schema.expectation, in: object, path: [property.name])
  }
}

extension JSONSchema {
  /// What the schema requires, for a person, in words that follow "must be".
  public var expectation: String {
    if !cases.isEmpty { return alternatives(cases.map(\.text)) }
    if types.isEmpty, !anyOf.isEmpty { return alternatives(anyOf.map(\.expectation)) }
    let names = types.map { type in
      switch type {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .number: "a number"
      case .integer: "an integer"
      case .boolean: "true or false"
      case .null: "null"
      }
    }
    return names.isEmpty ? "a value" : alternatives(names)
  }
}
