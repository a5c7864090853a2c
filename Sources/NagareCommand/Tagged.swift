internal import Nagare
internal import WireJSON

/// A type whose objects have a field, the tag, that determines which other fields they have.
protocol Tagged: JSONValue, Sendable {
  /// The name of the tag.
  static var tag: String { get }
  static var kinds: [Kind<Self>] { get }
  /// The value from which the object is written.
  var content: any JSONEncodable { get }
}

/// One kind of a ``Tagged`` type.
struct Kind<Value>: Sendable {
  let name: String
  let schema: JSONSchema
  let decode: @Sendable (RawJSON, inout DecodingContext) -> Value?

  init<Content: Record & SendableMetatype>(
    _ name: String, _ content: Content.Type, _ make: @escaping @Sendable (Content) -> Value
  ) {
    self.name = name
    schema = Content.schema
    decode = { json, context in Content.decode(json, in: &context).map(make) }
  }
}

extension Tagged {
  init(json: RawJSON) throws(DecodingFailure) {
    var context = DecodingContext()
    guard let value = Self.decode(json, in: &context) else {
      throw context.failures.first ?? DecodingFailure(expected: "an object with '\(Self.tag)'", in: json)
    }
    self = value
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self? {
    let names = kinds.map { "\"\($0.name)\"" }.joined(separator: ", ")
    guard context.expect(.object, json) else { return nil }
    guard let tag = json.member(tag) else {
      context.report(DecodingFailure(.missing, expected: "one of \(names)", in: json, path: [tag]))
      return nil
    }
    guard let name = tag.wireText, let kind = kinds.first(where: { WireText($0.name) == name }) else {
      let near = suggestion(for: tag.string ?? "", in: kinds.map(\.name), quote: "'")
      context.report(DecodingFailure(expected: "one of \(names), not \(tag.text)\(near)", in: tag, path: [Self.tag]))
      return nil
    }
    return kind.decode(json, &context)
  }

  func write(to writer: inout JSONWriter) { content.write(to: &writer) }

  static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = kinds.map { kind in
      var object = kind.schema
      for index in object.properties.indices where object.properties[index].name == tag {
        object.properties[index].schema.constant = kind.name.json
      }
      return object
    }
    return schema
  }
}

extension ClosedRange<Int> {
  /// The allowed margins of a window: how many rows it has on either side of the viewport.
  static var margin: ClosedRange { 0...500 }
}
