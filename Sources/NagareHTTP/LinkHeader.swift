internal import WireJSON

/// The header `Link` (RFC 8288).
enum LinkHeader {
  /// The address of the first link that has a relation such as `next`, which may be relative; nil where there is none.
  /// A header may have several links, joined by commas.
  static func target(of relation: String, in header: String) -> String? {
    // By scalars, none of which joins with what follows.
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

  /// Takes `; name=value; name="quoted, value"` up to the comma before the next link.
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
