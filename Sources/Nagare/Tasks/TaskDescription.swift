internal import WireJSON

/// A kind of task that ``UserTask`` defines, as `rpc.discover` describes it to clients.
struct TaskDescription: Encodable {
  let kind: String
  let summary: String
  /// The schema of the task's fields other than `kind`.
  let members: JSONSchema
  /// The schema of the task's result; nil if it has none.
  let value: JSONSchema?

  static let all = [
    TaskDescription(kind: "alert", summary: "Shows a message to the user.", members: title, value: nil),
    TaskDescription(
      kind: "confirm", summary: "Asks the user to confirm. True, or no value, confirms.", members: title,
      value: Bool.schema
    ),
    TaskDescription(
      kind: "prompt", summary: "Asks the user for a line of text.",
      members: title.adding("text", String.schema.described("The initial text.")), value: String.schema),
    TaskDescription(
      kind: "choose", summary: "Asks the user to choose. The result is the id of the choice.",
      members: title.adding(
        "choices", [ChoiceItem].schema.described("The choices."), isRequired: true),
      value: ItemID.schema),
    TaskDescription(
      kind: "pickImage", summary: "Asks the user for a picture. The result is the client's name or address for it.",
      members: JSONSchema(properties: []), value: textOrObject),
    TaskDescription(
      kind: "login", summary: "Asks the user to sign in. The result is the proof, such as a token.",
      members: JSONSchema(properties: [
        JSONSchema.Property("title", String.schema.described("The address to sign in at."), isRequired: false)
      ]), value: textOrObject),
  ]

  private static let title = JSONSchema(properties: [
    JSONSchema.Property("title", String.schema.described("The title."))
  ]).adding("message", String.schema.described("A longer text below the title."))

  private static let textOrObject = JSONSchema(types: [.string, .object])
}

extension JSONSchema {
  fileprivate func adding(_ name: String, _ schema: JSONSchema, isRequired: Bool = false) -> JSONSchema {
    var copy = self
    copy.properties.append(Property(name, schema, isRequired: isRequired))
    return copy
  }
}
