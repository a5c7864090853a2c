extension RawJSON {
  /// The value's JSON text for people: a line for each member and element, indented by two spaces a level. Strings and
  /// numbers keep their spelling.
  public var indented: String {
    var text = ""
    write(into: &text, indent: "\n")
    return text
  }

  private func write(into text: inout String, indent: String) {
    switch kind {
    case .object:
      let parts = members.map { name, value in (name.string.json.text + ": ", value) }
      RawJSON.write(parts, between: ("{", "}"), into: &text, indent: indent)
    case .array: RawJSON.write(elements.map { ("", $0) }, between: ("[", "]"), into: &text, indent: indent)
    case .string, .number, .bool, .null: text += self.text
    }
  }

  private static func write(
    _ parts: [(prefix: String, value: RawJSON)], between brackets: (String, String), into text: inout String,
    indent: String
  ) {
    text += brackets.0
    for (index, part) in parts.enumerated() {
      text += (index == 0 ? "" : ",") + indent + "  " + part.prefix
      part.value.write(into: &text, indent: indent + "  ")
    }
    text += (parts.isEmpty ? "" : indent) + brackets.1
  }
}
