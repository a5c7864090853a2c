internal import WireJSON

/// An answer of a server.
struct HTTPAnswer: Sendable {
  var status: Int
  /// The headers by their names in lowercase.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// Returns the value of a header, by its name in lowercase.
  subscript(name: String) -> String? { headers[name] }

  /// The status and content type, for messages.
  var summary: String { "\(status), \(self["content-type"] ?? "without Content-Type")" }

  /// The beginning of the body, in quotes and on one line, for messages.
  var beginning: String {
    let text = String(decoding: body.prefix(100), as: UTF8.self)
    return String(text.map { $0.isNewline ? " " : $0 }).json.text
  }
}
