public import WireJSON

/// The parameters of `source/watch`.
public struct SourceWatchParams: Record {
  /// The name of the source that is asked.
  public let source: String
  /// Which of its items are watched.
  public let criteria: Criteria
  /// The state that is held; null where none is.
  public let since: String?

  /// Its members on the wire.
  public static let fields = Fields(
    SourceWatchParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field(flattening: \.criteria),
    Field(nullable: "since", \.since, "The state that is held: what has happened since is wanted. Null where none is."))

  /// Makes them.
  public init(source: String, _ criteria: Criteria, since: String?) {
    (self.source, self.criteria, self.since) = (source, criteria, since)
  }

  /// What the answer must be.
  public static var resultSchema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property(
        "state", JSONSchema(type: .string).described("The state that it tells from on."), isRequired: false),
      JSONSchema.Property(
        "changes", JSONSchema().described("What has happened since the state that is held, as in source/changed."),
        isRequired: false),
    ])
  }
}

/// The parameters of `source/unwatch`.
public struct SourceUnwatchParams: Record {
  /// The name of the source that is told.
  public let source: String
  /// Which of its items were watched.
  public let criteria: Criteria

  /// Its members on the wire.
  public static let fields = Fields(
    SourceUnwatchParams.init,
    Field("source", \.source, "The name of the source that is told."), Field(flattening: \.criteria))

  /// Makes them.
  public init(source: String, _ criteria: Criteria) { (self.source, self.criteria) = (source, criteria) }
}

/// The parameters of `source/changed`.
public struct SourceChangedParams: Record {
  /// The name of the source that has changed.
  public let source: String
  /// What is looked for; null for everything.
  public let query: String?
  let filters: Filters?
  let since: String?
  let state: String?
  let total: Int?
  let changes: RawJSON

  /// Its members on the wire.
  public static let fields = Fields(
    SourceChangedParams.init,
    Field("source", \.source, "The name of the source that has changed."),
    Field("query", \.query, "What is looked for; null for everything."),
    Field("filters", \.filters, "What the items are filtered and sorted by; absent where nothing is."),
    Field("since", \.since, "The state that the changes follow; absent from a source that keeps no states."),
    Field("state", \.state, "The state that they lead to."),
    Field("total", \.total, "How many items there are in all from now on."),
    Field("changes", \.changes, "Inserts, changes and removals in their order, or \"all\": the list is read again."))
}
