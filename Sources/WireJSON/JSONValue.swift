/// A type with its own way to be read from JSON. Any other `Decodable` type is read by its `init(from:)`: see
/// `RawJSON.decode(_:unknownMembers:)`.
///
/// Implement ``init(json:)``. Types that consist of other types also implement ``decode(_:in:)``, to report everything
/// that is wrong with their parts. If a type of another module conforms, it is read this way everywhere:
/// ```swift
/// extension Date: @retroactive JSONDecodable {
///   public init(json: RawJSON) throws(DecodingFailure) {
///     guard let date = json.string.flatMap({ try? Date($0, strategy: .iso8601) }) else {
///       throw DecodingFailure(expected: "a date such as \"2026-11-21T08:15:00Z\"", in: json)
///     }
///     self = date
///   }
/// }
/// ```
public protocol JSONDecodable: Decodable, SendableMetatype {
  /// Reads a value, or throws the first ``DecodingFailure``.
  init(json: RawJSON) throws(DecodingFailure)

  /// Reads a value, and reports everything that is wrong with it. Returns nil if there is no value because of a
  /// failure.
  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self?

  /// The value that a missing field of this type means; nil if the field is required.
  static var valueWhenAbsent: Self? { get }
}

extension JSONDecodable {
  /// Reads a value by ``init(json:)``, which reports at most one failure.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self? {
    do throws(DecodingFailure) {
      return try Self(json: json)
    } catch {
      context.report(error)
      return nil
    }
  }

  /// Nil: the member is required.
  public static var valueWhenAbsent: Self? { nil }

  /// Reads a value by ``decode(_:in:)``, for types whose parts are decoded that way. Throws the first reported failure.
  static func decodeFirst(_ json: RawJSON) throws(DecodingFailure) -> Self { try read(json, .ignored) }

  static func read(
    _ json: RawJSON, _ unknownMembers: DecodingContext.UnknownMembers
  ) throws(DecodingFailure) -> Self {
    var context = DecodingContext(unknownMembers: unknownMembers)
    guard let value = decode(json, in: &context), context.failures.isEmpty else {
      throw context.failures.first ?? DecodingFailure(expected: "a valid value", in: json)
    }
    return value
  }
}

/// A type with its own way to be written as JSON. Any other `Encodable` type is written by its `encode(to:)`: see
/// ``RawJSON/init(encoding:)``.
public protocol JSONEncodable: Encodable, SendableMetatype {
  /// Whether the value means "none", so a record omits its field.
  var isAbsent: Bool { get }

  /// Writes the value as one JSON value.
  func write(to writer: inout JSONWriter)
}

extension JSONEncodable {
  /// False: the value is written.
  public var isAbsent: Bool { false }
}

/// A type that declares its JSON Schema. The schema of any other `Decodable` type is found out: see
/// ``JSONSchema/init(of:)``.
public protocol JSONSchemaProviding: SendableMetatype {
  /// The type's JSON Schema.
  static var schema: JSONSchema { get }
}

/// A type that is read from JSON, written as JSON, and described by a JSON Schema.
public typealias JSONValue = JSONDecodable & JSONEncodable & JSONSchemaProviding

extension String: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string with at most 128 combining marks on each letter.
  ///
  /// Swift compares and hashes texts by their appearance. The time grows with the square of the number of marks on one
  /// letter. Use ``WireText`` to accept such texts.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.string else { throw DecodingFailure(expected: "a string", in: json) }
    guard value.isComparable else { throw DecodingFailure(expected: String.comparable, in: json) }
    self = value
  }

  static let comparable = "a text with at most \(mostMarks) combining marks on a letter"
  static let comparableNames = "an object in which each name is \(comparable)"
  private static let mostMarks = 128

  /// Whether comparing the text is fast, because no letter has more than 128 marks.
  var isComparable: Bool {
    guard utf8.count > 2 * String.mostMarks else { return true }
    var marks = 0
    for scalar in unicodeScalars {
      let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      marks = isMark ? marks + 1 : 0
      if marks > String.mostMarks { return false }
    }
    return true
  }

  /// Writes a string.
  @inlinable public func write(to writer: inout JSONWriter) { writer.string(self) }

  /// `{"type":"string"}`.
  public static var schema: JSONSchema { JSONSchema(type: .string) }
}

extension Int: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a number with an integer value.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.int else { throw DecodingFailure(expected: "an integer", in: json) }
    self = value
  }

  /// Writes an integer.
  @inlinable public func write(to writer: inout JSONWriter) { writer.int(self) }

  /// `{"type":"integer"}`.
  public static var schema: JSONSchema { JSONSchema(type: .integer) }
}

extension Double: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.double else { throw DecodingFailure(expected: "a number", in: json) }
    self = value
  }

  /// Writes a number; see ``JSONWriter/double(_:)``.
  public func write(to writer: inout JSONWriter) { writer.double(self) }

  /// `{"type":"number"}`.
  public static var schema: JSONSchema { JSONSchema(type: .number) }
}

extension Bool: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads `true` or `false`.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.bool else { throw DecodingFailure(expected: "true or false", in: json) }
    self = value
  }

  /// Writes `true` or `false`.
  @inlinable public func write(to writer: inout JSONWriter) { writer.bool(self) }

  /// `{"type":"boolean"}`.
  public static var schema: JSONSchema { JSONSchema(type: .boolean) }
}

extension RawJSON: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Accepts any value unchanged.
  public init(json: RawJSON) { self = json }

  /// Writes the value unchanged.
  public func write(to writer: inout JSONWriter) { writer.raw(self) }

  /// `{}`, which allows anything.
  public static var schema: JSONSchema { JSONSchema() }
}

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// Reads a value, or nil from `null`.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads a value, or nil from `null`, and reports everything that is wrong with it.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Wrapped?? {
    json.isNull ? .some(nil) : Wrapped.decode(json, in: &context).map(Optional.some)
  }

  /// Nil: an absent field means the same as `null`.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// Whether the value is nil.
  public var isAbsent: Bool { self == nil }

  /// Writes the value, or `null`. (A record omits fields that are nil.)
  public func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Optional: JSONSchemaProviding where Wrapped: JSONSchemaProviding {
  /// The schema of the wrapped type. `null` means the same as an absent field, and a record never writes it.
  public static var schema: JSONSchema { Wrapped.schema }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// Reads an array.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an array, and reports everything that is wrong with its elements.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> [Element]? {
    guard context.expect(.array, json) else { return nil }
    var elements: [Element] = []
    var isWhole = true
    for (index, json) in json.elements.enumerated() {
      if let element = context.within("[\(index)]", { Element.decode(json, in: &$0) }) {
        elements.append(element)
      } else {
        isWhole = false
        if context.isFull { break }
      }
    }
    return isWhole ? elements : nil
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  /// Writes an array.
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension Array: JSONSchemaProviding where Element: JSONSchemaProviding {
  /// An array whose elements have the schema of the element type.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .array)
    schema.items = Element.schema
    return schema
  }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
  /// Reads an object whose fields all have the same type.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an object, and reports everything that is wrong with its fields.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> [String: Value]? {
    guard context.expect(.object, json) else { return nil }
    var members: [String: Value] = [:]
    var isWhole = true
    for (name, json) in json.members {
      guard name.string.isComparable else {
        context.report(DecodingFailure(expected: String.comparableNames, in: json))
        return nil
      }
      if let value = context.within(name.string, { Value.decode(json, in: &$0) }) {
        members[name.string] = value
      } else {
        isWhole = false
        if context.isFull { break }
      }
    }
    return isWhole ? members : nil
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// Writes an object. Its fields are ordered by name, so equal dictionaries produce equal bytes.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in sorted(by: { WireText($0.key) < WireText($1.key) }) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}

extension Dictionary: JSONSchemaProviding where Key == String, Value: JSONSchemaProviding {
  /// An object whose fields all have the schema of the value type.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = Value.schema
    return schema
  }
}
