package import ItemList
package import WireJSON

/// A request or notification to the program that provides a source (section 6 of the specification).
package struct SourceMethod: Sendable {
  /// The name on the wire.
  package let name: String
  /// The description for discovery.
  package let summary: String
  /// The schema of the parameters.
  package let params: @Sendable () -> JSONSchema
  /// The schema of the result; nil for a notification.
  package let result: (@Sendable () -> JSONSchema)?

  private init(
    _ name: String, _ summary: String, _ params: @escaping @Sendable () -> JSONSchema,
    _ result: (@Sendable () -> JSONSchema)? = { JSONSchema(properties: []) }
  ) {
    (self.name, self.summary, self.params, self.result) = (name, summary, params, result)
  }

  package static let page = SourceMethod(
    "source/page", "Requests a page from a source that the client provides.", { SourcePageParams.schema },
    { SourcePageParams.resultSchema })
  package static let watch = SourceMethod(
    "source/watch", "Requests that the client reports changes of a source that it provides.",
    { SourceWatchParams.schema },
    { SourceWatchParams.resultSchema })
  package static let unwatch = SourceMethod(
    "source/unwatch", "Ends a watch of a source.",
    { SourceUnwatchParams.schema }, nil)
  package static let item = SourceMethod(
    "source/item", "Requests one full item from a source that the client provides.", { SourceItemParams.schema },
    { SourceItemParams.resultSchema })
  package static let insert = SourceMethod(
    "source/insert", "Requests that a source that the client provides inserts an item.", { SourceInsertParams.schema },
    { SourceInsertParams.resultSchema })
  package static let change = SourceMethod(
    "source/change", "Requests that a source that the client provides changes an item.", { SourceChangeParams.schema },
    { SourceInsertParams.resultSchema })
  package static let remove = SourceMethod(
    "source/remove", "Requests that a source that the client provides removes an item.", { SourceRemoveParams.schema })

  /// All methods, in the order of discovery.
  package static let all: [SourceMethod] = [page, watch, unwatch, item, insert, change, remove]
}

/// The parameters of `source/page`.
package struct SourcePageParams: Record {
  package let source: String
  package let request: PageRequest

  package static let fields = Fields(
    SourcePageParams.init,
    Field("source", \.source, "The name of the source."), Field(flattening: \.request))

  package init(source: String, _ request: PageRequest) { (self.source, self.request) = (source, request) }

  /// The schema of the result.
  package static var resultSchema: JSONSchema {
    var items = JSONSchema(type: .array)
    items.items = JSONSchema(type: .object)
    return JSONSchema(properties: [
      JSONSchema.Property("items", items.described("The items of the page, each with its id.")),
      JSONSchema.Property(
        "next", JSONSchema().described("The key of the next page; null or absent if there is none."),
        isRequired: false),
      JSONSchema.Property(
        "open",
        JSONSchema(type: .boolean).described(
          "True if there is no next page, but more items may follow later: the page is then requested again by its own key."
        ),
        isRequired: false),
      JSONSchema.Property(
        "previous", JSONSchema().described("The key of the previous page; null or absent if there is none."),
        isRequired: false),
      JSONSchema.Property(
        "total", JSONSchema(type: .integer).described("The total number of items."), isRequired: false),
      JSONSchema.Property(
        "exact", JSONSchema(type: .boolean).described("False if the total is an estimate."), isRequired: false),
      JSONSchema.Property(
        "position", JSONSchema(type: .integer).described("The position of the first item of the page, from 0."),
        isRequired: false),
      JSONSchema.Property(
        "state", JSONSchema(type: .string).described("The state of the source from which the page was read."),
        isRequired: false),
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
    Field("source", \.source, "The name of the source."),
    Field("id", \.id, "The id of the item."))

  /// The schema of the result.
  package static var resultSchema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property("item", JSONSchema(type: .object).described("The full item, with its id."))
    ])
  }
}

/// The parameters of `source/watch`.
package struct SourceWatchParams: Record {
  package let source: String
  package let request: WatchRequest

  package static let fields = Fields(
    SourceWatchParams.init,
    Field("source", \.source, "The name of the source."), Field(flattening: \.request))

  package init(source: String, _ request: WatchRequest) { (self.source, self.request) = (source, request) }

  /// The schema of the result.
  package static var resultSchema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property(
        "state", JSONSchema(type: .string).described("The state from which on the source reports changes."),
        isRequired: false),
      JSONSchema.Property(
        "changes", JSONSchema().described("The changes since the state in the request, as in source/changed."),
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
    Field("source", \.source, "The name of the source."), Field(flattening: \.criteria))

  package init(source: String, _ criteria: Criteria) { (self.source, self.criteria) = (source, criteria) }
}
