package import ItemList
package import WireJSON

/// A request or a notification to the program that has a source (section 6 of the specification).
package struct SourceMethod: Sendable {
  /// Its name on the wire.
  package let name: String
  /// Its description for discovery.
  package let summary: String
  /// The schema of its parameters.
  package let params: @Sendable () -> JSONSchema
  /// The schema of its result; nil for a notification.
  package let result: (@Sendable () -> JSONSchema)?

  private init(
    _ name: String, _ summary: String, _ params: @escaping @Sendable () -> JSONSchema,
    _ result: (@Sendable () -> JSONSchema)? = { JSONSchema(properties: []) }
  ) {
    (self.name, self.summary, self.params, self.result) = (name, summary, params, result)
  }

  package static let page = SourceMethod(
    "source/page", "Asks the client for a page of a source that it offers.", { SourcePageParams.schema },
    { SourcePageParams.resultSchema })
  package static let watch = SourceMethod(
    "source/watch", "Asks the client to say how a source that it offers changes.", { SourceWatchParams.schema },
    { SourceWatchParams.resultSchema })
  package static let unwatch = SourceMethod(
    "source/unwatch", "Tells the client that nobody wants to know any more how a source changes.",
    { SourceUnwatchParams.schema }, nil)
  package static let item = SourceMethod(
    "source/item", "Asks the client for one whole item of a source that it offers.", { SourceItemParams.schema },
    { SourceItemParams.resultSchema })
  package static let insert = SourceMethod(
    "source/insert", "Asks the client to take an item into a source that it offers.", { SourceInsertParams.schema },
    { SourceInsertParams.resultSchema })
  package static let change = SourceMethod(
    "source/change", "Asks the client to change an item of a source that it offers.", { SourceChangeParams.schema },
    { SourceInsertParams.resultSchema })
  package static let remove = SourceMethod(
    "source/remove", "Asks the client to take an item out of a source that it offers.", { SourceRemoveParams.schema })

  /// All methods, in the order of discovery.
  package static let all: [SourceMethod] = [page, watch, unwatch, item, insert, change, remove]
}

/// The parameters of `source/page`.
package struct SourcePageParams: Record {
  package let source: String
  package let request: PageRequest

  package static let fields = Fields(
    SourcePageParams.init,
    Field("source", \.source, "The name of the source that is asked."), Field(flattening: \.request))

  package init(source: String, _ request: PageRequest) { (self.source, self.request) = (source, request) }

  /// What the answer must be.
  package static var resultSchema: JSONSchema {
    var items = JSONSchema(type: .array)
    items.items = JSONSchema(type: .object)
    return JSONSchema(properties: [
      JSONSchema.Property("items", items.described("The page's items, each with its id.")),
      JSONSchema.Property(
        "next", JSONSchema().described("The key of the next page; null or absent where there is none."),
        isRequired: false),
      JSONSchema.Property(
        "open",
        JSONSchema(type: .boolean).described(
          "True if there is no next page, but more items may follow later: the page is then requested again by its own key."
        ),
        isRequired: false),
      JSONSchema.Property(
        "previous", JSONSchema().described("The key of the page before; null or absent where there is none."),
        isRequired: false),
      JSONSchema.Property(
        "total", JSONSchema(type: .integer).described("How many items there are in all."), isRequired: false),
      JSONSchema.Property(
        "exact", JSONSchema(type: .boolean).described("False where the total is estimated."), isRequired: false),
      JSONSchema.Property(
        "position", JSONSchema(type: .integer).described("The position of the page's first item, from 0."),
        isRequired: false),
      JSONSchema.Property(
        "state", JSONSchema(type: .string).described("The state that it was read at."), isRequired: false),
    ])
  }
}

/// The parameters of `source/item`.
package struct SourceItemParams: Record {
  package let source: String
  package let id: ItemID

  package init(source: String, id: ItemID) { (self.source, self.id) = (source, id) }

  package static let fields = Fields(
    SourceItemParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field("id", \.id, "The item's id."))

  /// What the answer must be.
  package static var resultSchema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property("item", JSONSchema(type: .object).described("The whole item, with its id."))
    ])
  }
}

/// The parameters of `source/watch`.
package struct SourceWatchParams: Record {
  package let source: String
  package let request: WatchRequest

  package static let fields = Fields(
    SourceWatchParams.init,
    Field("source", \.source, "The name of the source that is asked."), Field(flattening: \.request))

  package init(source: String, _ request: WatchRequest) { (self.source, self.request) = (source, request) }

  /// What the answer must be.
  package static var resultSchema: JSONSchema {
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
package struct SourceUnwatchParams: Record {
  package let source: String
  package let criteria: Criteria

  package static let fields = Fields(
    SourceUnwatchParams.init,
    Field("source", \.source, "The name of the source that is told."), Field(flattening: \.criteria))

  package init(source: String, _ criteria: Criteria) { (self.source, self.criteria) = (source, criteria) }
}
