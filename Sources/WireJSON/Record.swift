/// A type that is an object in JSON, declared once: its fields give the decoder, the encoder and the schema.
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
  /// How to make the value, and its fields in the order of that initializer's parameters.
  static var fields: Fields<Self> { get }
}

extension Record {
  /// Reads an object. Unknown members are passed over; of duplicates the last wins.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an object, reporting everything that is wrong with its members.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self? {
    fields.decode(json, in: &context)
  }

  /// Writes an object, without the members that are nil.
  public func write(to writer: inout JSONWriter) { Self.fields.encode(self, to: &writer) }

  /// An object with the fields as its properties.
  public static var schema: JSONSchema { JSONSchema(properties: fields.properties) }
}

/// A member of a ``Record``.
public struct Field<Root, Value: JSONValue>: Sendable {
  let name: String
  let property: JSONSchema.Property
  let read: @Sendable (Root) -> Value
  let valueWhenAbsent: @Sendable () -> Value?
  let isAlwaysWritten: Bool

  /// Declares a member. It is required, unless its type is an optional: then absent and `null` are nil.
  /// - Parameters:
  ///   - name: The member's name.
  ///   - read: The property, such as `\.to`.
  ///   - description: What it is for, in the schema.
  public init(_ name: String, _ read: @escaping @Sendable (Root) -> Value, _ description: String = "") {
    self.name = name
    self.read = read
    let isOptional = Value.valueWhenAbsent != nil
    property = JSONSchema.Property(name, Value.schema.described(description), isRequired: !isOptional)
    valueWhenAbsent = { Value.valueWhenAbsent }
    isAlwaysWritten = false
  }

  /// Declares a member that may be left out.
  /// - Parameters:
  ///   - name: The member's name.
  ///   - read: The property, such as `\.pageSize`.
  ///   - defaultValue: What its absence means. `null` is not absence.
  ///   - description: What it is for, in the schema.
  public init(
    _ name: String, _ read: @escaping @Sendable (Root) -> Value, default defaultValue: Value, _ description: String = ""
  ) where Value: Sendable {
    self.name = name
    self.read = read
    var schema = Value.schema.described(description)
    schema.defaultValue = defaultValue.json
    property = JSONSchema.Property(name, schema, isRequired: false)
    valueWhenAbsent = { defaultValue }
    isAlwaysWritten = true
  }

  /// Declares a member that is always written: nil as `null`.
  /// - Parameters:
  ///   - name: The member's name.
  ///   - read: The property, such as `\.next`.
  ///   - description: What it is for, in the schema.
  public init<Wrapped>(
    nullable name: String, _ read: @escaping @Sendable (Root) -> Value, _ description: String = ""
  ) where Value == Wrapped? {
    self.name = name
    self.read = read
    property = JSONSchema.Property(name, Value.schema.nullable.described(description), isRequired: false)
    valueWhenAbsent = { Value.valueWhenAbsent }
    isAlwaysWritten = true
  }

  func decode(from object: RawJSON, in context: inout DecodingContext) -> Value? {
    if let json = object.member(name) { return context.within(name) { Value.decode(json, in: &$0) } }
    if let value = valueWhenAbsent() { return value }
    let expected = property.schema.expectation
    context.report(DecodingFailure(.missing, expected: expected, in: object, path: [name]))
    return nil
  }

  func encode(_ root: Root, to writer: inout JSONWriter) {
    let value = read(root)
    guard isAlwaysWritten || !value.isAbsent else { return }
    writer.key(name)
    value.write(to: &writer)
  }
}
