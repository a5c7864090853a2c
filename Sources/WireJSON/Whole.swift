/// A whole number within limits, which its schema and its errors name.
public struct Whole<let least: Int, let most: Int>: JSONValue, Hashable, Sendable {
  /// The number.
  public let value: Int

  /// Wraps a number that is within the limits.
  ///
  /// - Parameter value: the number.
  public init(_ value: Int) { self.value = value }

  /// Reads a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.int, (least...most).contains(value) else {
      throw DecodingFailure(expected: "a whole number, \(least) to \(most)", in: json)
    }
    self.value = value
  }

  /// Writes the number.
  public func write(to writer: inout JSONWriter) { writer.int(value) }

  /// An integer with its limits.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .integer)
    schema.minimum = least
    schema.maximum = most
    return schema
  }
}
