public import WireJSON

/// One of several choices: a string, which is its own id, or an object with an `id`.
public struct ChoiceItem: JSONValue, Sendable, Equatable {
  /// The id, which is the result of a choice.
  public let id: ItemID
  /// The whole string or object.
  public let json: RawJSON

  /// Reads a string, or an object whose `id` is a string or a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    let id = json.kind == .object ? json.member("id") : json.kind == .string ? json : nil
    guard let id = id.flatMap({ ItemID($0) }) else {
      throw DecodingFailure(expected: "a string, or an object with an \"id\" that is a string or a number", in: json)
    }
    (self.id, self.json) = (id, json)
  }

  /// A choice that is its own id.
  public init(_ text: String) { (id, json) = (ItemID(text), text.json) }

  /// Writes the choice as it was read.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// A string, or an object with an id.
  public static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [String.schema, JSONSchema(properties: [JSONSchema.Property("id", ItemID.schema)])]
    return schema.titled("Choice")
  }
}
