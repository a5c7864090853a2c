/// An integer type other than `Int`.
public protocol JSONInteger: FixedWidthInteger, JSONDecodable, JSONEncodable, JSONSchemaProviding {}

extension JSONInteger {
  /// Reads a number whose value is an integer in the type's range.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value: Self = json.integer() else {
      throw DecodingFailure(expected: "a whole number, \(Self.min) to \(Self.max)", in: json)
    }
    self = value
  }

  /// Writes an integer.
  public func write(to writer: inout JSONWriter) { description.withSpan { writer.raw($0) } }

  /// An integer with its limits, if they fit into an `Int`.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .integer)
    (schema.minimum, schema.maximum) = (Int(exactly: Self.min), Int(exactly: Self.max))
    return schema
  }
}

extension Int8: JSONInteger {}
extension Int16: JSONInteger {}
extension Int32: JSONInteger {}
extension Int64: JSONInteger {}
extension Int128: JSONInteger {}
extension UInt: JSONInteger {}
extension UInt8: JSONInteger {}
extension UInt16: JSONInteger {}
extension UInt32: JSONInteger {}
extension UInt64: JSONInteger {}
extension UInt128: JSONInteger {}

extension Float: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard json.kind == .number, let value = Float(json.text), value.isFinite else {
      throw DecodingFailure(expected: "a number in the range of Float", in: json)
    }
    self = value
  }

  /// Writes a number with the fewest digits that read back as the same value; null for infinity and NaN.
  public func write(to writer: inout JSONWriter) {
    if isFinite { description.withSpan { writer.raw($0) } } else { writer.null() }
  }

  /// `{"type":"number"}`.
  public static var schema: JSONSchema { JSONSchema(type: .number) }
}
