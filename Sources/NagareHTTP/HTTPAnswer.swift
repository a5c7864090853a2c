internal import WireJSON

/// What a server answered.
struct HTTPAnswer: Sendable {
  var status: Int
  /// By their names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// A header's value, by its name in lower case.
  subscript(name: String) -> String? { headers[name] }

  /// Status and content type, for a person.
  var summary: String { "\(status), \(self["content-type"] ?? "without Content-Type")" }

  /// How the body begins, in quotes and on one line, for a person.
  var beginning: String {
    let text = String(decoding: body.prefix(100), as: UTF8.self)
    return String(text.map { $0.isNewline ? " " : $0 }).json.text
  }
}
