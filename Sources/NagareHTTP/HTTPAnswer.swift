/// What a server answered.
struct HTTPAnswer: Sendable {
  var status: Int
  /// By their names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// A header's value.
  ///
  /// - Parameter name: its name in lower case.
  subscript(name: String) -> String? { headers[name] }

  /// Status and content type, for a person.
  var summary: String { "\(status), \(self["content-type"] ?? "without Content-Type")" }
}
