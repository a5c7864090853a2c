internal import Nagare

/// How many items there are in all; nil where nobody knows, which is said.
struct Total: JSONValue, Equatable {
  let number: Int?

  init(number: Int?) { self.number = number }

  init(json: RawJSON) throws(DecodingFailure) { number = json.isNull ? nil : try Int(json: json) }

  func write(to writer: inout JSONWriter) {
    if let number { number.write(to: &writer) } else { writer.literal("null") }
  }

  static var schema: JSONSchema { JSONSchema(types: [.integer, .null]) }
}
