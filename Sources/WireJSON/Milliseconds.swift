/// A time span on the wire: a whole number of milliseconds, 0 or more.
public struct Milliseconds: Hashable, Sendable, JSONValue {
  /// The number of milliseconds.
  public let count: Int

  /// Makes a time span of a number of milliseconds, which must not be negative.
  public init(_ count: Int) { self.count = count }

  /// Makes a time span of a duration, rounded down to whole milliseconds. A negative duration counts as 0.
  package init(_ duration: Duration) { self.init(max(0, Int(duration / .milliseconds(1)))) }

  /// The time span as a duration.
  public var duration: Duration { .milliseconds(count) }

  /// Reads a whole number, 0 or more.
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
