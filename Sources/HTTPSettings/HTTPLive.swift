package import WireJSON

/// How a list notices that a web server's items have changed: the server sends events, or the first page is requested
/// regularly.
package struct HTTPLive: Record, Sendable {
  /// The address from which the server sends server-sent events.
  package let events: URLTemplate?
  /// The interval between two requests for the first page, in milliseconds.
  package let poll: Int?

  /// The fields in JSON.
  package static let fields = Fields(
    HTTPLive.init,
    Field(
      "events", \.events, "The address of the server-sent events that report changes, with {query} and {filter.NAME}."),
    Field("poll", \.poll, "Milliseconds between two requests of the first page.").limited(to: 100...86_400_000))

  /// The mistake in the combination of fields; nil if there is none.
  var failure: (path: [String], expected: String)? {
    guard let events else { return poll == nil ? ([], "an object with either 'events' or 'poll'") : nil }
    if poll != nil { return ([], "an object with either 'events' or 'poll'") }
    let isKnown = events.placeholders.allSatisfy { if case .filter = $0 { true } else { $0 == .query } }
    return isKnown ? nil : (["events"], "an address with no other placeholders than {query} and {filter.NAME}")
  }
}
