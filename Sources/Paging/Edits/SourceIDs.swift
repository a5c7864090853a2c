internal import ItemList

/// The ids that a source gave items in place of those with which they were sent.
struct SourceIDs: Equatable {
  /// The current id of each item, by each id that it had before.
  private var current: [ItemID: ItemID] = [:]
  /// The same the other way round.
  private var former: [ItemID: [ItemID]] = [:]

  var isEmpty: Bool { current.isEmpty }

  /// The id that an item has now.
  subscript(id: ItemID) -> ItemID { current[id] ?? id }

  /// Records that an item has a new id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    forget(new)
    let ids = (former.removeValue(forKey: old) ?? []) + [old]
    for id in ids { current[id] = new }
    former[new, default: []] += ids
  }

  /// Records that an id is a new item's, whatever item had it before.
  mutating func forget(_ id: ItemID) {
    guard let item = current.removeValue(forKey: id) else { return }
    former[item]?.removeAll { $0 == id }
  }
}
