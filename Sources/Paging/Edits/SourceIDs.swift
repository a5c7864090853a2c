internal import ItemList

/// The ids that a source gave to items, which replace the ids that the list had sent.
struct SourceIDs: Equatable {
  /// The current id of each item, by each of its former ids.
  private var current: [ItemID: ItemID] = [:]
  /// The former ids of each item, by its current id.
  private var former: [ItemID: [ItemID]] = [:]

  var isEmpty: Bool { current.isEmpty }

  /// The current id of an item.
  subscript(id: ItemID) -> ItemID { current[id] ?? id }

  /// Records that an item has a new id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    forget(new)
    let ids = (former.removeValue(forKey: old) ?? []) + [old]
    for id in ids { current[id] = new }
    former[new, default: []] += ids
  }

  /// Records that an id belongs to a new item, even if another item had it before.
  mutating func forget(_ id: ItemID) {
    guard let item = current.removeValue(forKey: id) else { return }
    former[item]?.removeAll { $0 == id }
  }
}
