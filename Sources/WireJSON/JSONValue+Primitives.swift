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
  public func write(to writer: inout JSONWriter) { writer.string(self) }

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
  public func write(to writer: inout JSONWriter) { writer.int(self) }

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
  public func write(to writer: inout JSONWriter) { writer.bool(self) }

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

/// A time span on the wire: a whole number of milliseconds, not negative.
public struct Milliseconds: Hashable, Sendable, JSONValue {
  /// How many milliseconds.
  public let count: Int

  /// Names a time span.
  /// - Parameter count: How many milliseconds, not negative.
  public init(_ count: Int) { self.count = count }

  /// The time span as the clock takes it.
  public var duration: Duration { .milliseconds(count) }

  /// Reads a whole number that is not negative.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let count = json.int, count >= 0 else {
      throw DecodingFailure(expected: "a whole number of milliseconds, 0 or more", in: json)
    }
    self.count = count
  }

  /// Writes the count.
  public func write(to writer: inout JSONWriter) { writer.int(count) }

  /// An integer of at least 0.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .integer)
    schema.minimum = 0
    return schema
  }
}
