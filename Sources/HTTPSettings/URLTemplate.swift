package import WireJSON

/// An address with placeholders for a request's values: `https://example.org/items?page={page}&per_page={size}`.
///
/// - Values are percent-encoded.
/// - A query parameter is omitted if its value is only one placeholder, and that has no value.
/// - Scheme, host and port are fixed, so no value can send a request to another server.
/// - Values may contain `..`, which could leave the template's path. Callers must check that with ``keepsPath(_:)``.
package struct URLTemplate: Hashable, Sendable {
  /// A placeholder in the address.
  package enum Placeholder: Hashable, Sendable {
    /// The number of the page.
    case page
    /// The number of items before the page.
    case offset
    /// The requested number of items.
    case size
    /// The search text.
    case query
    /// The cursor of the page, from the answer with the page before.
    case cursor
    /// The value of the named filter. For a bound of a range, the name ends in `.from` or `.to`.
    case filter(String)

    static let plain: [(name: String, placeholder: Placeholder)] = [
      ("page", .page), ("offset", .offset), ("size", .size), ("query", .query), ("cursor", .cursor),
    ]

    /// The text between the braces.
    package var name: String {
      if case .filter(let name) = self { return "filter.\(name)" }
      return Placeholder.plain.first { $0.placeholder == self }?.name ?? ""
    }

    init?(_ name: String) {
      if name.utf8.starts(with: "filter.".utf8), name.utf8.count > 7 {
        self = .filter(String(name.unicodeScalars.dropFirst(7)))
      } else if let known = Placeholder.plain.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
        self = known.placeholder
      } else {
        return nil
      }
    }
  }

  /// An address with all values filled in.
  package struct Expansion: Hashable, Sendable {
    /// The address.
    package let url: String
    /// The address for logs and messages. Query values from the template itself may be secrets, so they are replaced
    /// with `…`.
    package let shown: String
  }

  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(Placeholder)
  }

  /// A query parameter: the text between two `&`, divided at the first `=`.
  struct Parameter: Hashable, Sendable {
    let name: [Part]
    /// Nil if there is no `=`.
    let value: [Part]?
  }

  /// The template as it was written.
  package let text: String
  let base: String
  let path: [Part]
  let parameters: [Parameter]

  /// Whether the address contains a placeholder.
  package func uses(_ placeholder: Placeholder) -> Bool { placeholders.contains(placeholder) }

  /// Whether the address contains a placeholder for a filter.
  package func names(filter name: String) -> Bool {
    placeholders.contains {
      if case .filter(let known) = $0 { known == name || known.hasPrefix("\(name).") } else { false }
    }
  }

  /// The placeholders in the address, in their order.
  package var placeholders: [Placeholder] {
    (path + parameters.flatMap { $0.name + ($0.value ?? []) }).compactMap {
      if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
    }
  }

  /// Returns the address with the values filled in. Missing values are replaced with nothing.
  package func expanded(_ values: [Placeholder: String]) -> Expansion {
    var query: [String] = []
    var shownQuery: [String] = []
    for parameter in parameters {
      let name = expand(parameter.name, values)
      guard let value = parameter.value else {
        query.append(name)
        shownQuery.append("…")
        continue
      }
      if value.count == 1, case .placeholder(let placeholder) = value[0], (values[placeholder] ?? "").isEmpty {
        continue
      }
      query.append("\(name)=\(expand(value, values))")
      let hasLiterals = value.contains { if case .literal = $0 { true } else { false } }
      shownQuery.append("\(name)=\(hasLiterals ? "…" : expand(value, values))")
    }
    let address = base + expand(path, values)
    return Expansion(url: join(address, query), shown: join(address, shownQuery))
  }

  /// Whether the address stays within the template's path: no value adds a step `.` or `..`.
  ///
  /// Percent-encoding doesn't prevent that. `..` contains no character to encode, and many servers decode `%2F` before
  /// they resolve the path.
  package func keepsPath(_ values: [Placeholder: String]) -> Bool {
    let steps = path.reduce(into: "") { text, part in
      switch part {
      case .literal(let literal): text += literal
      case .placeholder(let placeholder): text += values[placeholder] ?? ""
      }
    }
    return !steps.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }

  private func join(_ address: String, _ query: [String]) -> String {
    query.isEmpty ? address : "\(address)?\(query.joined(separator: "&"))"
  }

  private func expand(_ parts: [Part], _ values: [Placeholder: String]) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .literal(let literal): text += literal
      case .placeholder(let placeholder): text += percentEncoded(values[placeholder] ?? "", keeping: "-._~")
      }
    }
  }
}

/// Returns the text with percent-encoded bytes, except for letters, digits and `others` (RFC 3986, section 2).
package func percentEncoded(_ text: String, keeping others: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  for byte in text.utf8 {
    if isLetterOrDigit(byte) || others.utf8.contains(byte) {
      encoded.append(byte)
    } else {
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

extension URLTemplate {
  /// A mistake in a template.
  package struct Malformed: Error, Hashable, Sendable {
    /// The text that a correct template would fit, to follow "must be".
    package let expected: String
  }

  /// Reads a template.
  package init(_ text: String) throws(Malformed) {
    // The text is divided by Unicode scalars, because a character can combine a delimiter with the scalars after it.
    let scalars = text.unicodeScalars
    guard let scheme = ["https://", "http://"].first(where: { scalars.starts(with: $0.unicodeScalars) }) else {
      throw Malformed(expected: "an address that starts with https:// or http://")
    }
    let rest = scalars.dropFirst(scheme.utf8.count)
    let hostEnd = rest.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    let host = Substring(rest[..<hostEnd])
    guard isHost(host) else {
      throw Malformed(expected: "an address whose host is a plain name, without user, password and placeholders")
    }
    guard !rest.contains("#") else { throw Malformed(expected: "an address without '#'") }
    let pathEnd = rest.firstIndex(of: "?") ?? rest.endIndex
    let path = rest[hostEnd..<pathEnd]
    self.text = text
    base = scheme + host.lowercased()
    self.path = try URLTemplate.parts(path.isEmpty ? "/".unicodeScalars[...] : path)
    var parameters: [Parameter] = []
    for piece in rest[pathEnd...].dropFirst().split(separator: "&") {
      let equals = piece.firstIndex(of: "=")
      parameters.append(
        Parameter(
          name: try URLTemplate.parts(piece[..<(equals ?? piece.endIndex)]),
          value: try equals.map { (equals) throws(Malformed) in try URLTemplate.parts(piece[equals...].dropFirst()) }))
    }
    self.parameters = parameters
    guard keepsPath(Dictionary(placeholders.map { ($0, "x") }) { first, _ in first }) else {
      throw Malformed(expected: "an address whose path has no segments '.' and '..'")
    }
  }

  private static func parts(_ text: Substring.UnicodeScalarView) throws(Malformed) -> [Part] {
    var parts: [Part] = []
    var rest = text
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      append(rest[..<brace], to: &parts)
      let name = rest[brace...].dropFirst().prefix { $0 != "}" }
      guard rest[brace] == "{", name.endIndex < rest.endIndex,
        let placeholder = Placeholder(String(name))
      else {
        let known = (Placeholder.plain.map(\.name) + ["filter.NAME"]).map { "{\($0)}" }.joined(separator: ", ")
        throw Malformed(expected: "an address with no other placeholders than \(known); a brace itself is %7B or %7D")
      }
      parts.append(.placeholder(placeholder))
      rest = rest[name.endIndex...].dropFirst()
    }
    append(rest, to: &parts)
    return parts
  }

  /// Adds text. Only characters that no address can contain are percent-encoded.
  private static func append(_ text: Substring.UnicodeScalarView, to parts: inout [Part]) {
    guard !text.isEmpty else { return }
    parts.append(.literal(percentEncoded(String(text), keeping: "-._~:/?[]@!$&'()*+,;=%")))
  }
}

/// Whether a text can be a host, with or without a port.
package func isHost(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_:[]".utf8.contains($0) }
}

extension URLTemplate: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string.
  package init(json: RawJSON) throws(DecodingFailure) {
    let text = try String(json: json)
    do throws(Malformed) {
      try self.init(text)
    } catch {
      throw DecodingFailure(expected: error.expected, in: json)
    }
  }

  /// Writes the template as it was written.
  package func write(to writer: inout JSONWriter) { writer.string(text) }

  /// A string.
  package static var schema: JSONSchema { String.schema }
}
