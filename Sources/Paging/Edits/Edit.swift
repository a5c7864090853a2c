public import ItemList
public import WireJSON

/// An edit of a list, as its source is to make it.
public enum Edit<Item> {
  /// An item is new, and stands before the one with an id; first where that is nil.
  case insert(Item, before: ItemID?)
  /// An item is another than the one with its id was.
  case update(Item)
  /// The item with an id is gone.
  case remove(ItemID)
  /// Many items at once get members of an object, or are gone where that is nil. Only sources are asked that take
  /// ``SourceEdit/Kind/marked``.
  case marked(MarkedItems, set: RawJSON?)
}

extension SourceEdit {
  /// An edit of a list whose items are JSON.
  public init(_ edit: Edit<RawJSON>) {
    switch edit {
    case .insert(let item, let next): self = .insert(item, before: next)
    case .update(let item): self = .change(item)
    case .remove(let id): self = .remove(id)
    case .marked(let items, let set): self = set.map { .changeMarked(items, set: $0) } ?? .removeMarked(items)
    }
  }
}
