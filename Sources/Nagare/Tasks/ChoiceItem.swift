public import WireJSON

/// One of several things to choose from: a string, which is its own id, or an object with an `id`.
public struct ChoiceItem: JSONValue, Sendable, Equatable {
  /// What it is chosen by.
  public let id: ItemID
  /// The whole of it.
  public let json: RawJSON

  /// Reads a string, or an object with an `id` that is a string or a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    let id = json.kind == .object ? json.member("id") : json.kind == .string ? json : nil
    guard let id = id.flatMap({ ItemID($0) }) else {
      throw DecodingFailure(expected: "a string, or an object with an \"id\" that is a string or a number", in: json)
    }
    (self.id, self.json) = (id, json)
  }

  /// A choice that is its own id.
  public init(_ text: String) { (id, json) = (ItemID(text), text.json) }

  /// Writes it as it was read.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// A string, or an object with its id.
  public static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [String.schema, JSONSchema(properties: [JSONSchema.Property("id", ItemID.schema)])]
    return schema.titled("Choice")
  }
}
