package import ItemList

/// The ids that a source gave items in place of those with which they were sent.
package struct SourceIDs: Equatable {
  private var newer: [ItemID: ItemID] = [:]

  /// No item has another id.
  package init() {}

  /// The id that an item has now.
  package subscript(id: ItemID) -> ItemID {
    if newer.isEmpty { return id }
    var id = id
    while let next = newer[id] { id = next }
    return id
  }

  /// An item has a new id, which no item had before it.
  package mutating func rename(_ old: ItemID, to new: ItemID) {
    newer[old] = new
    newer[new] = nil
  }

  /// A new item has an id.
  package mutating func forget(_ id: ItemID) { if !newer.isEmpty { newer[id] = nil } }
}
