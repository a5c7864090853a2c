package import WireJSON

/// How a list learns that a web server's items have changed: the server tells, or is asked again and again.
package struct HTTPLive: Record, Sendable {
  /// Where the server tells, by server-sent events.
  package let events: URLTemplate?
  /// Milliseconds after which the first page is asked for again.
  package let poll: Int?

  /// Its members.
  package static let fields = Fields(
    HTTPLive.init,
    Field(
      "events", \.events, "The address of the server-sent events that report changes, with {query} and {filter.NAME}."),
    Field("poll", \.poll, "Milliseconds between two requests of the first page.").limited(to: 100...86_400_000))

  /// What is wrong with how its members go together; nil if nothing is.
  var failure: (path: [String], expected: String)? {
    guard let events else { return poll == nil ? ([], "an object with either 'events' or 'poll'") : nil }
    if poll != nil { return ([], "an object with either 'events' or 'poll'") }
    let isKnown = events.placeholders.allSatisfy { if case .filter = $0 { true } else { $0 == .query } }
    return isKnown ? nil : (["events"], "an address with no other placeholders than {query} and {filter.NAME}")
  }
}
