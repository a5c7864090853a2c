internal import ItemList
package import WireJSON

extension Edit<RawJSON> {
  /// The method of the request to the source.
  package var method: SourceMethod {
    switch self {
    case .insert: .insert
    case .update, .marked(_, set: _?): .change
    case .remove, .marked(_, set: nil): .remove
    }
  }

  /// Writes the parameters of the request to the source.
  package func write(source: String, to writer: inout JSONWriter) {
    switch self {
    case .insert(let item, let next): SourceInsertParams(source: source, item: item, before: next).write(to: &writer)
    case .update(let item): SourceChangeParams(source: source, item: item).write(to: &writer)
    case .remove(let id): SourceRemoveParams(source: source, id: id).write(to: &writer)
    case .marked(let items, let set): SourceMarkedParams(source: source, items: items, set: set).write(to: &writer)
    }
  }
}

/// The parameters of `source/insert`.
package struct SourceInsertParams: Record {
  let source: String
  let item: RawJSON
  let before: ItemID?

  package static let fields = Fields(
    SourceInsertParams.init,
    Field("source", \.source, "The name of the source."),
    Field("item", \.item, "The item: an object with its id."),
    Field(nullable: "before", \.before, "The id of the item to insert before; null to insert at the start."))

  /// The schema of the result of `source/insert` and `source/change`.
  package static var resultSchema: JSONSchema {
    var id = JSONSchema()
    id.types = [.string, .number]
    return JSONSchema(properties: [
      JSONSchema.Property(
        "item", JSONSchema(type: .object).described("The item as the source stored it, with its id."), isRequired: false
      ),
      JSONSchema.Property(
        "id", id.described("In place of the item: its id, if the source gave it a new one."), isRequired: false),
    ])
  }
}

/// The parameters of `source/change`.
package struct SourceChangeParams: Record {
  let source: String
  let item: RawJSON

  package static let fields = Fields(
    SourceChangeParams.init,
    Field("source", \.source, "The name of the source."),
    Field("item", \.item, "The full new item. It replaces the item with the same id."))

  /// An object with these fields, or with those of an edit of many items.
  package static var schema: JSONSchema {
    SourceMarkedParams.schema(besides: fields.properties, SourceMarkedParams.fields.properties)
  }
}

/// The parameters of `source/remove`.
package struct SourceRemoveParams: Record {
  let source: String
  let id: ItemID

  package static let fields = Fields(
    SourceRemoveParams.init,
    Field("source", \.source, "The name of the source."),
    Field("id", \.id, "The id of the item."))

  /// An object with these fields, or with those of an edit of many items.
  package static var schema: JSONSchema {
    SourceMarkedParams.schema(besides: fields.properties, SourceMarkedParams.fields.properties.dropLast())
  }
}

/// The parameters of `source/change` and `source/remove`, if these are about many items.
package struct SourceMarkedParams: Record {
  let source: String
  let items: MarkedItems
  let set: RawJSON?

  package static let fields = Fields(
    SourceMarkedParams.init,
    Field("source", \.source, "The name of the source."),
    Field(flattening: \.items),
    Field("set", \.set, "The fields to set in each of several items, in place of one item."))

  /// A schema that allows the fields of one item, or those of many.
  fileprivate static func schema(
    besides one: [JSONSchema.Property], _ many: some Sequence<JSONSchema.Property>
  ) -> JSONSchema {
    let properties = one + many.filter { property in !one.contains { $0.name == property.name } }
    return JSONSchema(
      properties: properties.map { JSONSchema.Property($0.name, $0.schema, isRequired: $0.name == "source") })
  }
}
