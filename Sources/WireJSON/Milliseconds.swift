/// A time span on the wire: a whole number of milliseconds, not negative.
public struct Milliseconds: Hashable, Sendable, JSONValue {
  /// How many milliseconds.
  public let count: Int

  /// Names a time span in milliseconds, not negative.
  public init(_ count: Int) { self.count = count }

  /// A time span, rounded down to whole milliseconds. A negative one is 0.
  package init(_ duration: Duration) { self.init(max(0, Int(duration / .milliseconds(1)))) }

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
