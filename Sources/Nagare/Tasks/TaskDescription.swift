internal import WireJSON

/// A kind of task that ``UserTask`` has ready, for who asks what a client is to present.
struct TaskDescription: Encodable {
  let kind: String
  let summary: String
  /// What the task says besides its kind.
  let members: JSONSchema
  /// What its result is; nil where it has none.
  let value: JSONSchema?

  static let all = [
    TaskDescription(kind: "alert", summary: "Tells the user something.", members: title, value: nil),
    TaskDescription(
      kind: "confirm", summary: "Asks whether to go on; true, or nothing, says yes.", members: title, value: Bool.schema
    ),
    TaskDescription(
      kind: "prompt", summary: "Asks for a line of text.",
      members: title.adding("text", String.schema.described("What stands there at first.")), value: String.schema),
    TaskDescription(
      kind: "choose", summary: "Asks for one of several choices; its id is the result.",
      members: title.adding(
        "choices", [ChoiceItem].schema.described("What there is to choose from."), isRequired: true),
      value: ItemID.schema),
    TaskDescription(
      kind: "pickImage", summary: "Asks for a picture; whatever the client calls it by is the result.",
      members: JSONSchema(properties: []), value: textOrObject),
    TaskDescription(
      kind: "login", summary: "Asks the user to sign in; what proves it is the result.",
      members: JSONSchema(properties: [
        JSONSchema.Property("title", String.schema.described("Where to sign in."), isRequired: false)
      ]), value: textOrObject),
  ]

  private static let title = JSONSchema(properties: [
    JSONSchema.Property("title", String.schema.described("What it is about."))
  ]).adding("message", String.schema.described("More of it."))

  private static let textOrObject = JSONSchema(types: [.string, .object])
}

extension JSONSchema {
  fileprivate func adding(_ name: String, _ schema: JSONSchema, isRequired: Bool = false) -> JSONSchema {
    var copy = self
    copy.properties.append(Property(name, schema, isRequired: isRequired))
    return copy
  }
}
