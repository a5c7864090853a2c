public import WireJSON

/// A request to a source to report its changes.
public struct WatchRequest: Record, Hashable, Sendable {
  /// Which of the source's items are watched.
  public var criteria: Criteria
  /// The state of the list; nil if unknown. The source reports the changes since this state.
  public var state: String?

  /// Creates a request.
  public init(_ criteria: Criteria = Criteria(), state: String? = nil) {
    (self.criteria, self.state) = (criteria, state)
  }

  /// The fields on the wire.
  public static let fields = Fields(
    WatchRequest.init(_:state:), Field(flattening: \.criteria),
    Field(
      nullable: "since", \.state,
      "The state that the server has. The source returns the changes since then. Null if the server has none."))

  /// The query; nil for everything.
  public var query: String? { criteria.query }
  /// The filters and the order; nil for none.
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
    Field("source", \.source, "The name of the source."),
    Field("query", \.query, "The query; null if every item matches."),
    Field("filters", \.filters, "The filters and the sorting; absent if there are none."),
    Field("since", \.since, "The state before the changes; absent if the source has no states."),
    Field("state", \.state, "The state after the changes."),
    Field("total", \.total, "The total number of items after the changes."),
    Field("changes", \.changes, "The insertions, changes and removals, in order; or \"all\", and the list reloads."))
}
