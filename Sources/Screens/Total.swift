internal import Nagare

/// The total number of items; nil if it is unknown, which is written as null.
struct Total: JSONValue, Equatable {
  let number: Int?

  init(number: Int?) { self.number = number }

  init(json: RawJSON) throws(DecodingFailure) { number = json.isNull ? nil : try Int(json: json) }

  func write(to writer: inout JSONWriter) {
    if let number { number.write(to: &writer) } else { writer.literal("null") }
  }

  static var schema: JSONSchema { JSONSchema(types: [.integer, .null]) }
}
