public import WireJSON

/// The parameters of `source/watch`.
public struct SourceWatchParams: Record {
  /// The name of the source that is asked.
  public let source: String
  /// What is looked for; null for everything.
  public let query: String?
  /// The state that is held; null where none is.
  public let since: String?

  /// Its members on the wire.
  public static let fields = Fields(
    SourceWatchParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field(nullable: "query", \.query, "What is looked for; null for everything."),
    Field(nullable: "since", \.since, "The state that is held: what has happened since is wanted. Null where none is."))

  /// Makes them.
  public init(source: String, query: String?, since: String?) {
    (self.source, self.query, self.since) = (source, query, since)
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
  /// What was looked for; null for everything.
  public let query: String?

  /// Its members on the wire.
  public static let fields = Fields(
    SourceUnwatchParams.init,
    Field("source", \.source, "The name of the source that is told."),
    Field(nullable: "query", \.query, "What was looked for; null for everything."))

  /// Makes them.
  public init(source: String, query: String?) { (self.source, self.query) = (source, query) }
}

/// The parameters of `source/changed`.
public struct SourceChangedParams: Record {
  /// The name of the source that has changed.
  public let source: String
  /// What is looked for; null for everything.
  public let query: String?
  let since: String?
  let state: String?
  let total: Int?
  let changes: RawJSON

  /// Its members on the wire.
  public static let fields = Fields(
    SourceChangedParams.init,
    Field("source", \.source, "The name of the source that has changed."),
    Field("query", \.query, "What is looked for; null for everything."),
    Field("since", \.since, "The state that the changes follow; absent from a source that keeps no states."),
    Field("state", \.state, "The state that they lead to."),
    Field("total", \.total, "How many items there are in all from now on."),
    Field("changes", \.changes, "Inserts, changes and removals in their order, or \"all\": the list is read again."))
}
