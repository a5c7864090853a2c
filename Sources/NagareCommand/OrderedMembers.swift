internal import Nagare
internal import WireJSON

/// An object whose fields the user names. It keeps their order.
struct OrderedMembers<Value: JSONValue & Sendable>: JSONValue, Sendable {
  private(set) var values: [(name: String, value: Value)] = []
  /// The index of each name in `values`.
  private var places: [WireText: Int] = [:]
  /// The names whose values couldn't be read.
  private var faulty: Set<WireText> = []

  init(_ values: [(name: String, value: Value)] = []) { for (name, value) in values { add(name, value) } }

  init(json: RawJSON) throws(DecodingFailure) {
    for (name, value) in json.members { add(name.string, try Value(json: value)) }
  }

  private mutating func add(_ name: String, _ value: Value) {
    places[WireText(name)] = values.count
    values.append((name, value))
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> OrderedMembers? {
    guard context.expect(.object, json) else { return nil }
    var members = OrderedMembers()
    for (name, json) in json.members {
      guard let value = context.within(name.string, { Value.decode(json, in: &$0) }) else {
        members.faulty.insert(name)
        continue
      }
      if members.places[name] != nil {
        context.report(DecodingFailure(expected: "given once", in: json, path: [name.string]))
      }
      members.add(name.string, value)
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

  subscript(name: String) -> Value? { places[WireText(name)].map { values[$0].value } }

  /// Whether a name has a value that couldn't be read.
  func isFaulty(_ name: String) -> Bool { faulty.contains(WireText(name)) }
}
