internal import HTTPSettings

/// An absolute address with the scheme `http` or `https`, without a fragment (RFC 3986).
///
/// - The host is a plain name without encoded characters, and there is no user or password. So all programs that read
///   the text find the same host.
/// - The path is empty or begins with a slash, and has no steps `.` and `..`.
/// - Characters that aren't allowed in an address are percent-encoded.
struct WebAddress: Hashable, Sendable {
  /// The scheme, host and port, which identify a server.
  struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int
  }

  let origin: Origin
  private let authority: String
  private let path: String
  /// The text after the question mark; nil if there is no question mark.
  private let query: String?

  /// The address as it is sent.
  var text: String { place + (query.map { "?\($0)" } ?? "") }
  /// The address for messages. The text after the question mark may be secret, so it is left out.
  var withoutQuery: String { place + (query == nil ? "" : "?…") }
  private var place: String { "\(origin.scheme)://\(authority)\(path)" }

  /// Reads an address, which may be relative to `base`. Nil if the result isn't a web address.
  init?(_ text: String, relativeTo base: WebAddress? = nil) {
    // The text is divided by Unicode scalars, because a character can combine a delimiter with the scalars after it.
    var rest = text.unicodeScalars.prefix { $0 != "#" }
    var scheme = base?.origin.scheme
    if let end = rest.firstIndex(where: { ":/?".unicodeScalars.contains($0) }), rest[end] == ":" {
      scheme = String(rest[..<end]).lowercased()
      rest = rest[end...].dropFirst()
      guard rest.starts(with: "//".unicodeScalars) else { return nil }
    }
    guard let scheme, scheme == "http" || scheme == "https", !rest.isEmpty else { return nil }
    let named: (origin: Origin, authority: String)?
    if rest.starts(with: "//".unicodeScalars) {
      let authority = String(rest.dropFirst(2).prefix { !"/?".unicodeScalars.contains($0) })
      guard let origin = Origin(scheme, authority) else { return nil }
      rest = rest.dropFirst(2 + authority.unicodeScalars.count)
      named = (origin, authority)
    } else {
      named = nil
    }
    guard let (origin, authority) = named ?? base.map({ ($0.origin, $0.authority) }) else { return nil }
    let mark = rest.firstIndex(of: "?")
    var path = WebAddress.encoded(rest[..<(mark ?? rest.endIndex)])
    var query = mark.map { WebAddress.encoded(rest[$0...].dropFirst()) }
    if named == nil, let base {
      if path.isEmpty {
        (path, query) = (base.path, query ?? base.query)
      } else if !path.hasPrefix("/") {
        path = base.path.prefix(through: base.path.lastIndex(of: "/")) + path
      }
    }
    (self.origin, self.authority, self.path, self.query) = (origin, authority, WebAddress.normalized(path), query)
  }

  private static func encoded(_ text: Substring.UnicodeScalarView) -> String {
    percentEncoded(String(text), keeping: "-._~:/?[]@!$&'()*+,;=%")
  }

  /// Returns the path without the steps `.` and `..`. No step leads above the first slash.
  private static func normalized(_ path: String) -> String {
    var steps: [Substring] = []
    for step in path.split(separator: "/", omittingEmptySubsequences: false) {
      switch step {
      case "..": if steps.count > 1 { steps.removeLast() }
      case ".": break
      default: steps.append(step)
      }
    }
    let endsWithStep = path.hasSuffix("/.") || path.hasSuffix("/..")
    return steps.joined(separator: "/") + (endsWithStep ? "/" : "")
  }
}

extension String {
  /// Returns the text up to and including a character; a slash if `end` is nil.
  fileprivate func prefix(through end: Index?) -> String { end.map { String(self[...$0]) } ?? "/" }
}

extension WebAddress.Origin {
  /// Reads a host, with or without a port. Nil unless both are plain.
  init?(_ scheme: String, _ authority: String) {
    guard isHost(authority) else { return nil }
    let text = authority.lowercased()
    // The colons of an IPv6 address are in brackets.
    let hostEnd = text.lastIndex(of: "]").map { text.index(after: $0) } ?? text.firstIndex(of: ":") ?? text.endIndex
    let (host, rest) = (text[..<hostEnd], text[hostEnd...])
    guard !host.isEmpty, host.contains("[") == host.hasPrefix("["), host.contains("]") == host.hasPrefix("["),
      rest.isEmpty || rest.hasPrefix(":")
    else { return nil }
    let digits = rest.dropFirst()
    let port =
      digits.isEmpty ? (scheme == "https" ? 443 : 80) : Int(digits).flatMap { (0...65535).contains($0) ? $0 : nil }
    guard let port else { return nil }
    self.init(scheme: scheme, host: String(host), port: port)
  }
}
