package import WireJSON

/// An address with places for what a request wants: `https://example.org/items?page={page}&per_page={size}`.
///
/// Values are percent-encoded. A query parameter whose value is one placeholder and nothing else is left out where that
/// has no value. Scheme, host and port are fixed: no value can lead a request elsewhere. That none steps up in the path is
/// for whoever fills it in to see to, by ``keepsPath(_:)``.
package struct URLTemplate: Hashable, Sendable {
  /// What can be filled in.
  package enum Placeholder: Hashable, Sendable {
    /// The page's number.
    case page
    /// How many items stand before the page.
    case offset
    /// How many items the page should have.
    case size
    /// What to look for.
    case query
    /// What the page before named as its next.
    case cursor
    /// What to filter by, under a name; of a range one of its ends, `from` or `to`, behind a point after the name.
    case filter(String)

    static let plain: [(name: String, placeholder: Placeholder)] = [
      ("page", .page), ("offset", .offset), ("size", .size), ("query", .query), ("cursor", .cursor),
    ]

    /// What stands between the braces.
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

  /// An address made of a template.
  package struct Expansion: Hashable, Sendable {
    /// The address.
    package let url: String
    /// The address for a person to read: query values that stand in the template itself may be secrets, and are left out.
    package let shown: String
  }

  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(Placeholder)
  }

  /// What is between two `&`: all of it, and where its value starts.
  struct Parameter: Hashable, Sendable {
    let name: [Part]
    /// Nil where there is no `=`.
    let value: [Part]?
  }

  /// The template as it was written.
  package let text: String
  let base: String
  let path: [Part]
  let parameters: [Parameter]

  /// Whether an address depends on a value.
  package func uses(_ placeholder: Placeholder) -> Bool { placeholders.contains(placeholder) }

  /// Whether an address depends on a filter.
  package func names(filter name: String) -> Bool {
    placeholders.contains {
      if case .filter(let known) = $0 { known == name || known.hasPrefix("\(name).") } else { false }
    }
  }

  /// What is filled in.
  package var placeholders: [Placeholder] {
    (path + parameters.flatMap { $0.name + ($0.value ?? []) }).compactMap {
      if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
    }
  }

  /// Fills the values in. What there isn't reads as nothing.
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

  /// Whether no value steps out of the template's path.
  ///
  /// Encoding doesn't help: `..` has nothing to be encoded, and many a server decodes `%2F` before it resolves the steps.
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

/// A text with its bytes percent-encoded, but for letters, digits and some others (RFC 3986, section 2).
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
  /// What is wrong with a template, as what would be right.
  package struct Malformed: Error, Hashable, Sendable {
    /// What it must be, for a person.
    package let expected: String
  }

  /// Reads a template.
  package init(_ text: String) throws(Malformed) {
    // By scalars, none of which joins with what follows.
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

  /// Adds text as it is, but for what no address may have.
  private static func append(_ text: Substring.UnicodeScalarView, to parts: inout [Part]) {
    guard !text.isEmpty else { return }
    parts.append(.literal(percentEncoded(String(text), keeping: "-._~:/?[]@!$&'()*+,;=%")))
  }
}

/// Whether a text can be a host, with its port or without.
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
