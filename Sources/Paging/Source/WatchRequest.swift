public import WireJSON

/// What a source is asked that is to say how it changes.
public struct WatchRequest: Record, Hashable, Sendable {
  /// Which of its items are watched.
  public var criteria: Criteria
  /// The state that is held: what has happened since is wanted. Nil where none is.
  public var state: String?

  /// Asks for changes.
  public init(_ criteria: Criteria = Criteria(), state: String? = nil) {
    (self.criteria, self.state) = (criteria, state)
  }

  /// Its members on the wire.
  public static let fields = Fields(
    WatchRequest.init(_:state:), Field(flattening: \.criteria),
    Field(nullable: "since", \.state, "The state that is held: what has happened since is wanted. Null where none is."))

  /// What is looked for; nil for everything.
  public var query: String? { criteria.query }
  /// What to filter and sort by; nil where nothing is.
  public var filters: Filters? { criteria.filters }
}

/// The parameters of `source/changed`.
package struct SourceChangedParams: Record {
  let source: String
  let query: String?
  let filters: Filters?
  let since: String?
  let state: String?
  let total: Int?
  let changes: RawJSON

  package static let fields = Fields(
    SourceChangedParams.init,
    Field("source", \.source, "The name of the source that has changed."),
    Field("query", \.query, "What is looked for; null for everything."),
    Field("filters", \.filters, "What the items are filtered and sorted by; absent where nothing is."),
    Field("since", \.since, "The state that the changes follow; absent from a source that keeps no states."),
    Field("state", \.state, "The state that they lead to."),
    Field("total", \.total, "How many items there are in all from now on."),
    Field("changes", \.changes, "Inserts, changes and removals in their order, or \"all\": the list is read again."))
}
