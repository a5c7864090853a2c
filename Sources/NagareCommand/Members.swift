internal import Nagare
internal import WireJSON

/// An object whose members' names are the user's own, in their order.
struct Members<Value: JSONValue & Sendable>: JSONValue, Sendable {
  var values: [(name: String, value: Value)] = []
  /// The names of those whose values could not be read.
  private(set) var faulty: [String] = []

  init(_ values: [(name: String, value: Value)] = []) { self.values = values }

  init(json: RawJSON) throws(DecodingFailure) {
    for (name, value) in json.members { values.append((name, try Value(json: value))) }
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Members? {
    guard json.kind == .object else {
      context.report(DecodingFailure(expected: "an object", in: json))
      return nil
    }
    var members = Members()
    for (name, json) in json.members {
      guard let value = context.within(name, { Value.decode(json, in: &$0) }) else {
        members.faulty.append(name)
        continue
      }
      if members.values.contains(where: { $0.name == name }) {
        context.report(DecodingFailure(expected: "given once", in: json, path: [name]))
      }
      members.values.append((name, value))
    }
    return members
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in values {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = Value.schema
    return schema
  }

  subscript(name: String) -> Value? { values.last { $0.name == name }?.value }
}
