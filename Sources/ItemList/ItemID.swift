public import WireJSON

/// The id of an item: equal to another when type and value are, whatever their spelling
/// (`"a"` is `"\u0061"`, `1` is `1.0`, and `1` is not `"1"`).
public struct ItemID: Hashable, Sendable {
  /// The id in its canonical spelling, as JSON text in UTF-8.
  ///
  /// Strings escape only what has to be escaped, each in its shortest way. Integers of at most 18 digits are plain;
  /// other numbers are digits without zeros at either end, and an exponent.
  public let json: [UInt8]

  /// Takes an id in any spelling. Anything but a string or number is no id, and gives nil.
  public init?(_ value: RawJSON) {
    guard let json = CanonicalScalar.spelling(of: value.bytes) else { return nil }
    self.json = json
  }

  /// Takes an id from JSON text that was checked before: a string or number without white space around it.
  public init?(trusting text: ArraySlice<UInt8>) {
    guard let json = CanonicalScalar.spelling(of: text) else { return nil }
    self.json = json
  }

  /// An id that is a string.
  public init(_ text: String) {
    var writer = JSONWriter()
    writer.string(text)
    json = writer.bytes
  }

  /// An id that is a number.
  public init(_ number: Int) {
    let text = Array(String(number).utf8)
    json = CanonicalScalar.spelling(of: text[...]) ?? text
  }

  /// The id as a value.
  public var raw: RawJSON { RawJSON(trusting: json) }
}

extension ItemID: CustomStringConvertible {
  /// The id's JSON text.
  public var description: String { String(decoding: json, as: UTF8.self) }
}

extension ItemID {
  /// A hash of an id in checked JSON text: equal ids give the same, whatever their spelling. It is another in each
  /// process, so nothing that is sent may depend on it.
  package static func hash(of text: Span<UInt8>) -> UInt64 { CanonicalScalar.hash(of: text) }

  /// Whether two ids in checked JSON text are equal, whatever their spelling.
  public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool { CanonicalScalar.equal(left, right) }

  /// Whether an id in checked JSON text is this one, whatever its spelling.
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

  /// `{"type":["string","number"]}`.
  public static var schema: JSONSchema { JSONSchema(types: [.string, .number]) }
}
