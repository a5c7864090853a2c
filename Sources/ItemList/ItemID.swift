public import WireJSON

/// The id of an item: a string or a number in JSON.
///
/// Ids are equal if their types and values are, even if they are spelled differently: `"a"` equals `"\u0061"` and `1`
/// equals `1.0`, but `1` isn't equal to `"1"`.
public struct ItemID: Hashable, Sendable {
  /// The id's canonical spelling: JSON in UTF-8.
  ///
  /// Strings escape only the characters that need it, in the shortest way. Integers of at most 18 digits are written
  /// plainly. Other numbers are written as digits without zeros at either end, and an exponent.
  public let json: [UInt8]

  /// Creates an id from JSON in any spelling. Nil unless it is a string or a number.
  public init?(_ value: RawJSON) {
    guard let json = CanonicalScalar.spelling(of: value.bytes) else { return nil }
    self.json = json
  }

  /// Creates an id from JSON that is known to be valid: a string or number, without white space around it. Nil for any
  /// other value.
  public init?(trusting text: ArraySlice<UInt8>) {
    guard let json = CanonicalScalar.spelling(of: text) else { return nil }
    self.json = json
  }

  /// Creates an id that is a string.
  public init(_ text: String) {
    var writer = JSONWriter()
    writer.string(text)
    json = writer.bytes
  }

  /// Creates an id that is a number.
  public init(_ number: Int) {
    let text = Array(String(number).utf8)
    json = CanonicalScalar.spelling(of: text[...]) ?? text
  }

  /// The id as a JSON value.
  public var raw: RawJSON { RawJSON(trusting: json) }
}

extension ItemID: CustomStringConvertible {
  /// The id's JSON.
  public var description: String { String(decoding: json, as: UTF8.self) }
}

extension ItemID {
  /// The hash of an id, given as valid JSON. Equal ids have equal hashes, even if they are spelled differently. The
  /// hash differs between processes, so no output may depend on it.
  package static func hash(of text: Span<UInt8>) -> UInt64 { CanonicalScalar.hash(of: text) }

  /// Whether two ids, given as valid JSON, are equal. Their spelling doesn't matter.
  public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool { CanonicalScalar.equal(left, right) }

  /// Whether an id, given as valid JSON, is equal to this one. Its spelling doesn't matter.
  public func isEqual(to text: Span<UInt8>) -> Bool { Self.equal(json.span, text) }
}

extension ItemID: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string or a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = ItemID(json) else { throw DecodingFailure(expected: "a string or a number", in: json) }
    self = value
  }

  /// Writes the id in its canonical spelling.
  public func write(to writer: inout JSONWriter) { writer.raw(json.span) }

  /// The schema `{"type":["string","number"]}`.
  public static var schema: JSONSchema { JSONSchema(types: [.string, .number]) }
}
