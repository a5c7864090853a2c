public import WireJSON

extension URLTemplate {
  /// What is wrong with a template, as what would be right.
  public struct Fault: Error, Hashable, Sendable {
    /// What it must be, for a person.
    public let expected: String
  }

  /// Reads a template.
  ///
  /// - Parameter text: the template.
  /// - Throws: ``Fault``.
  public init(_ text: String) throws(Fault) {
    // By scalars, none of which joins with what follows.
    let scalars = text.unicodeScalars
    guard let scheme = ["https://", "http://"].first(where: { scalars.starts(with: $0.unicodeScalars) }) else {
      throw Fault(expected: "an address that starts with https:// or http://")
    }
    let rest = scalars.dropFirst(scheme.utf8.count)
    let hostEnd = rest.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    let host = Substring(rest[..<hostEnd])
    guard isHost(host) else {
      throw Fault(expected: "an address whose host is a plain name, without user, password and placeholders")
    }
    guard !rest.contains("#") else { throw Fault(expected: "an address without '#'") }
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
          value: try equals.map { (equals) throws(Fault) in try URLTemplate.parts(piece[equals...].dropFirst()) }))
    }
    self.parameters = parameters
    guard keepsPath(Dictionary(uniqueKeysWithValues: Placeholder.allCases.map { ($0, "x") })) else {
      throw Fault(expected: "an address without '.' and '..' as steps of its path")
    }
  }

  private static func parts(_ text: Substring.UnicodeScalarView) throws(Fault) -> [Part] {
    var parts: [Part] = []
    var rest = text
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      append(rest[..<brace], to: &parts)
      let name = rest[brace...].dropFirst().prefix { $0 != "}" }
      guard rest[brace] == "{", name.endIndex < rest.endIndex,
        let placeholder = Placeholder.allCases.first(where: { name.elementsEqual($0.rawValue.unicodeScalars) })
      else {
        let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw Fault(expected: "an address with no other placeholders than \(known); a brace itself is %7B or %7D")
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
func isHost(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_:[]".utf8.contains($0) }
}

extension URLTemplate: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string.
  public init(json: RawJSON) throws(DecodingFailure) {
    let text = try String(json: json)
    do throws(Fault) {
      try self.init(text)
    } catch {
      throw DecodingFailure(expected: error.expected, in: json)
    }
  }

  /// Writes the template as it was written.
  public func write(to writer: inout JSONWriter) { writer.string(text) }

  /// A string.
  public static var schema: JSONSchema { String.schema }
}
