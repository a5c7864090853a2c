/// A type that is read from JSON in a way of its own. Any other `Decodable` type is read as its `init(from:)` has it:
/// see `RawJSON.decode(_:unknownMembers:)`.
///
/// Conform by ``init(json:)``; types made of others report all that is wrong with their parts by
/// ``decode(_:in:)`` besides. A type of another module that conforms is read so wherever it stands:
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

  /// Reads a value, reporting everything that is wrong with it. Nil comes back if something was reported that leaves
  /// none.
  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self?

  /// What a missing member of this type means; nil where it must not be missing.
  static var valueWhenAbsent: Self? { get }
}

extension JSONDecodable {
  /// Reads a value by ``init(json:)``, which knows one failure at most.
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

  /// Reads a value by ``decode(_:in:)``, for types whose parts are decoded that way; throws the first failure that was
  /// reported.
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

/// A type that is written as JSON in a way of its own. Any other `Encodable` type is written as its `encode(to:)` has it:
/// see ``RawJSON/init(encoding:)``.
public protocol JSONEncodable: Encodable, SendableMetatype {
  /// Whether the value stands for none, so that a record leaves its member out.
  var isAbsent: Bool { get }

  /// Writes the value as one JSON value.
  func write(to writer: inout JSONWriter)
}

extension JSONEncodable {
  /// False: the value is written.
  public var isAbsent: Bool { false }
}

/// A type that says what its JSON looks like. Of any other `Decodable` type it is found out: see ``JSONSchema/init(of:)``.
public protocol JSONSchemaProviding: SendableMetatype {
  /// The type's JSON Schema.
  static var schema: JSONSchema { get }
}

/// A type that is read from JSON, written as JSON, and described by a JSON Schema.
public typealias JSONValue = JSONDecodable & JSONEncodable & JSONSchemaProviding

extension String: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string whose letters have at most 128 combining marks each.
  ///
  /// Swift compares and hashes texts by what they look like, which takes time that grows with the square of the marks on
  /// one letter. Who needs such texts takes them as ``WireText``.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.string else { throw DecodingFailure(expected: "a string", in: json) }
    guard value.isComparable else { throw DecodingFailure(expected: String.comparable, in: json) }
    self = value
  }

  static let comparable = "a text with at most \(mostMarks) combining marks on a letter"
  static let comparableNames = "an object each of whose names is \(comparable)"
  private static let mostMarks = 128

  /// Whether no letter has so many marks that comparing takes long.
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
  /// Reads a number that is an integer by its value.
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
  /// Takes any value as it is.
  public init(json: RawJSON) { self = json }

  /// Writes the value as it is.
  public func write(to writer: inout JSONWriter) { writer.raw(self) }

  /// `{}`, which allows anything.
  public static var schema: JSONSchema { JSONSchema() }
}

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// Reads a value, or nil from `null`.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads a value, or nil from `null`, reporting everything that is wrong with it.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Wrapped?? {
    json.isNull ? .some(nil) : Wrapped.decode(json, in: &context).map(Optional.some)
  }

  /// Nil: absent means the same as `null`.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// Whether it is nil.
  public var isAbsent: Bool { self == nil }

  /// Writes the value, or `null`. (A record leaves a member that is nil out.)
  public func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Optional: JSONSchemaProviding where Wrapped: JSONSchemaProviding {
  /// What the wrapped type says; `null` is understood as absent, and never written by a record.
  public static var schema: JSONSchema { Wrapped.schema }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// Reads an array.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an array, reporting everything that is wrong with its elements.
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
  /// An array whose items are what the element's type says.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .array)
    schema.items = Element.schema
    return schema
  }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
  /// Reads an object whose members all have one type.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an object, reporting everything that is wrong with its members.
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
  /// Writes an object, its members ordered by name, so that equal dictionaries give equal bytes.
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
  /// An object whose members are all what the value's type says.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = Value.schema
    return schema
  }
}
