internal import Nagare
internal import Paging

/// The parameters of `change`: an item, or new fields for all marked items if the screen has marks.
struct ChangeParameters: Record {
  let item: RawJSON?
  let marked: Bool?
  let set: RawJSON?

  static let fields = Fields(
    ChangeParameters.init,
    Field("item", \.item, "The new item. It replaces the listed item with the same id."),
    Field("marked", \.marked, "In place of an item: true for all marked items, if the screen has marks."),
    Field("set", \.set, "The fields to set in all marked items."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties)
    schema.properties[2].schema.types = [.object]
    schema.properties[2].schema.additionalProperties = JSONSchema()
    return schema
  }

  /// A change of one item.
  static func item(_ item: RawJSON) -> ChangeParameters { ChangeParameters(item: item, marked: nil, set: nil) }

  /// Returns the parameters. Refuses them unless they are for either one item or the marked items.
  func checked() throws(Refusal) -> ChangeParameters {
    switch (item, marked, set) {
    case (_?, nil, nil), (nil, true?, _?): return self
    default:
      throw Refusal("item", mustBe: "an object with its id, or in its place \"marked\": true and \"set\"", not: self)
    }
  }
}

/// The parameters of `remove`: an item, or all marked items if the screen has marks.
struct RemoveParameters: Record {
  let id: ItemID?
  let marked: Bool?

  static let fields = Fields(
    RemoveParameters.init,
    Field("id", \.id, "The id of the item."),
    Field("marked", \.marked, "In place of an id: true for all marked items, if the screen has marks."))

  /// The removal of one item.
  static func item(_ id: ItemID) -> RemoveParameters { RemoveParameters(id: id, marked: nil) }

  /// Returns the parameters. Refuses them unless they are for either one item or the marked items.
  func checked() throws(Refusal) -> RemoveParameters {
    switch (id, marked) {
    case (_?, nil), (nil, true?): return self
    default: throw Refusal("id", mustBe: "the id of a listed item, or in its place \"marked\": true", not: self)
    }
  }
}

extension Paged<RawJSON> {
  /// Removes an item, or all marked items.
  mutating func remove(_ removal: RemoveParameters) throws(Refusal) {
    guard let id = removal.id else { return try removeMarked() }
    try listed(id)
    remove(id)
  }
}
