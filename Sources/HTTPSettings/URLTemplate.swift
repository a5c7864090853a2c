/// An address with places for what a request wants: `https://example.org/items?page={page}&per_page={size}`.
///
/// Values are percent-encoded. A query parameter whose value is one placeholder and nothing else is left out where that
/// has no value. Scheme, host and port are fixed: no value can lead a request elsewhere. That none steps up in the path is
/// for whoever fills it in to see to, by ``keepsPath(_:)``.
public struct URLTemplate: Hashable, Sendable {
  /// What can be filled in.
  public enum Placeholder: String, CaseIterable, Sendable {
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
  }

  /// An address made of a template.
  public struct Expansion: Hashable, Sendable {
    /// The address.
    public let url: String
    /// The address for a person to read: query values that stand in the template itself may be secrets, and are left out.
    public let shown: String
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
  public let text: String
  let base: String
  let path: [Part]
  let parameters: [Parameter]

  /// Whether an address depends on a value.
  ///
  /// - Parameter placeholder: the value's name.
  /// - Returns: whether it occurs.
  public func uses(_ placeholder: Placeholder) -> Bool {
    let parts = path + parameters.flatMap { $0.name + ($0.value ?? []) }
    return parts.contains(.placeholder(placeholder))
  }

  /// Fills the values in.
  ///
  /// - Parameter values: what there is; what there isn't reads as nothing.
  /// - Returns: the address.
  public func expanded(_ values: [Placeholder: String]) -> Expansion {
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
  ///
  /// - Parameter values: what is to be filled in.
  /// - Returns: false if `.` or `..` would be a step of the path.
  public func keepsPath(_ values: [Placeholder: String]) -> Bool {
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
func percentEncoded(_ text: String, keeping others: String) -> String {
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
