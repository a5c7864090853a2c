internal import WireJSON

/// Reads the header `Link` (RFC 8288).
enum LinkHeader {
  /// Returns the address of the first link with a relation such as `next`; nil if there is none. The address may be
  /// relative. A header may contain several links, separated by commas.
  static func target(of relation: String, in header: String) -> String? {
    // The text is divided by Unicode scalars, because a character can combine a delimiter with the scalars after it.
    var rest = header.unicodeScalars[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let address = rest[start...].dropFirst().prefix { $0 != ">" }
      rest = rest[end...].dropFirst()
      let relations = readParameters(from: &rest).first { WireText($0.name) == "rel" }?.value ?? ""
      if relations.lowercased().unicodeScalars.split(separator: " ").contains(where: {
        WireText(String($0)) == WireText(relation)
      }) {
        return String(address)
      }
    }
    return nil
  }

  /// Reads `; name=value; name="quoted, value"` up to the comma before the next link.
  private static func readParameters(from rest: inout Substring.UnicodeScalarView) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    while let mark = rest.first, mark != "," {
      rest = rest.dropFirst()
      guard mark == ";" else { continue }
      let name = rest.prefix { !"=;,".unicodeScalars.contains($0) }
      rest = rest[name.endIndex...]
      var value = ""
      if rest.first == "=" {
        rest = rest.dropFirst().drop { $0 == " " }
        value = readValue(from: &rest)
      }
      parameters.append((String(name.filter { $0 != " " && $0 != "\t" }).lowercased(), value))
    }
    return parameters
  }

  private static func readValue(from rest: inout Substring.UnicodeScalarView) -> String {
    guard rest.first == "\"" else {
      let token = rest.prefix { !";, ".unicodeScalars.contains($0) }
      rest = rest[token.endIndex...]
      return String(token)
    }
    var value = String.UnicodeScalarView()
    rest = rest.dropFirst()
    while let scalar = rest.popFirst(), scalar != "\"" {
      if scalar == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(scalar) }
    }
    return String(value)
  }
}
