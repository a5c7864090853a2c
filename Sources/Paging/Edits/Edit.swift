public import ItemList
public import WireJSON

/// An edit of a list, as it is sent to the source.
public enum Edit<Item> {
  /// Insert an item before the one with an id, or at the start if that is nil.
  case insert(Item, before: ItemID?)
  /// Replace the item that has the same id.
  case update(Item)
  /// Remove the item with an id.
  case remove(ItemID)
  /// Give many items the fields of an object, or remove them if the object is nil. Only sources that make edits of the
  /// kind ``EditKind/marked`` receive this edit.
  case marked(MarkedItems, set: RawJSON?)

  /// The kind of the edit. A source must support the kind to receive the edit.
  public var kind: EditKind {
    switch self {
    case .insert: .insert
    case .update, .marked(_, set: _?): .change
    case .remove, .marked(_, set: nil): .remove
    }
  }
}

extension Edit: Sendable where Item: Sendable {}

/// The kinds of edits that a source may support.
public enum EditKind: String, JSONStringEnum, Sendable {
  /// Inserting an item.
  case insert
  /// Replacing an item, or some of its fields.
  case change
  /// Removing an item.
  case remove
  /// Changing or removing many items by one request.
  case marked
}

extension Edit where Item: Encodable {
  /// The same edit with its items as JSON. Throws if an item can't be encoded.
  func json() throws(EncodingFailure) -> Edit<RawJSON> {
    switch self {
    case .insert(let item, let next): .insert(try RawJSON(encoding: item), before: next)
    case .update(let item): .update(try RawJSON(encoding: item))
    case .remove(let id): .remove(id)
    case .marked(let items, let set): .marked(items, set: set)
    }
  }
}
