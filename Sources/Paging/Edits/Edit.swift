public import ItemList
public import WireJSON

/// An edit of a list, as its source is to make it.
public enum Edit<Item> {
  /// An item is new, and stands before the one with an id; first if that is nil.
  case insert(Item, before: ItemID?)
  /// An item replaces the one with its id.
  case update(Item)
  /// The item with an id is removed.
  case remove(ItemID)
  /// Many items at once get members of an object, or are removed if that is nil. Only sources that make edits of the kind
  /// ``EditKind/marked`` receive it.
  case marked(MarkedItems, set: RawJSON?)

  /// What a source has to be able to do.
  public var kind: EditKind {
    switch self {
    case .insert: .insert
    case .update, .marked(_, set: _?): .change
    case .remove, .marked(_, set: nil): .remove
    }
  }
}

extension Edit: Sendable where Item: Sendable {}

/// The kinds of edits that a source may make.
public enum EditKind: String, JSONStringEnum, Sendable {
  /// To insert an item.
  case insert
  /// To replace an item, or members of it.
  case change
  /// To remove an item.
  case remove
  /// To change or remove many items at once, by one request.
  case marked
}

extension Edit where Item: Encodable {
  /// The edit with its items as JSON. Throws if an item can't be encoded.
  func json() throws(EncodingFailure) -> Edit<RawJSON> {
    switch self {
    case .insert(let item, let next): .insert(try RawJSON(encoding: item), before: next)
    case .update(let item): .update(try RawJSON(encoding: item))
    case .remove(let id): .remove(id)
    case .marked(let items, let set): .marked(items, set: set)
    }
  }
}
