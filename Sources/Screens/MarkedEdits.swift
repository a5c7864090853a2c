internal import Nagare
internal import Paging

/// What `change` is for: an item, or all that is marked.
enum ItemChange {
  /// The item is this from now on.
  case item(RawJSON)
  /// Items get these members.
  case marked(set: RawJSON)
}

/// What `remove` is for: an item, or all that is marked.
enum ItemRemoval {
  case item(ItemID)
  case marked
}

/// The parameters of `change` in a screen that has marks.
struct ChangeParameters: Record {
  let item: RawJSON?
  let marked: Bool?
  let set: RawJSON?

  static let fields = Fields(
    ChangeParameters.init,
    Field("item", \.item, "What the listed item with its id is to be."),
    Field("marked", \.marked, "In place of an item: true for all that is marked, where the screen has marks."),
    Field("set", \.set, "The members that all that is marked is to get, each in place of the item's own."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties)
    schema.properties[2].schema.types = [.object]
    schema.properties[2].schema.additionalProperties = JSONSchema()
    return schema
  }

  func change() throws(Refusal) -> ItemChange {
    switch (item, marked, set) {
    case (let item?, nil, nil): return .item(item)
    case (nil, true?, let set?): return .marked(set: set)
    default:
      throw Refusal("item", mustBe: "an object with its id, or in its place \"marked\": true and \"set\"", not: self)
    }
  }
}

/// The parameters of `remove` in a screen that has marks.
struct RemoveParameters: Record {
  let id: ItemID?
  let marked: Bool?

  static let fields = Fields(
    RemoveParameters.init,
    Field("id", \.id, "The item's id."),
    Field("marked", \.marked, "In place of an id: true for all that is marked, where the screen has marks."))

  func removal() throws(Refusal) -> ItemRemoval {
    switch (id, marked) {
    case (let id?, nil): return .item(id)
    case (nil, true?): return .marked
    default: throw Refusal("id", mustBe: "the id of a listed item, or in its place \"marked\": true", not: self)
    }
  }
}

extension Paged<RawJSON> {
  /// Takes an item out, or all that is marked.
  mutating func remove(_ removal: ItemRemoval) throws(Refusal) {
    switch removal {
    case .item(let id):
      try listed(id)
      remove(id)
    case .marked: try removeMarked()
    }
  }
}
