public import ItemList
internal import WireJSON

/// The place at which a source lists an item.
public enum RowPlace: Hashable, Sendable {
  /// Where the list's order puts it; at the start if the list has no order.
  case ordered
  /// Before the item with an id.
  case before(ItemID)
  /// After the item with an id.
  case after(ItemID)
  /// At the end.
  case end
}

/// A reported change of one row, independent of the type of the items.
enum RowChange {
  case insert(ItemList.Item, RowPlace, position: Int?)
  case change(ItemList.Item)
  case remove(ItemID, position: Int?)

  /// The id of the item.
  var id: ItemID {
    switch self {
    case .insert(let item, _, _), .change(let item): item.itemID
    case .remove(let id, _): id
    }
  }

  /// The item after the change; nil if it was removed.
  var item: ItemList.Item? {
    switch self {
    case .insert(let item, _, _), .change(let item): item
    case .remove: nil
    }
  }

  /// The position among all rows, if the source gave one.
  var position: Int? {
    switch self {
    case .insert(_, _, let position), .remove(_, let position): position
    case .change: nil
    }
  }

  /// The approximate size of a change in bytes, without its item.
  static var ownCost: Int { 256 }

  /// The approximate size of the change in bytes.
  var cost: Int { RowChange.ownCost + (item?.bytes.count ?? 0) }

  /// Whether the change names a place next to another row or at the end. Such a place is meaningful only in the rows at
  /// the time of the change.
  var isAnchored: Bool {
    if case .insert(_, let place, _) = self { place != .ordered } else { false }
  }
}

extension ItemList.Item {
  package var itemID: ItemID { ItemID(trusting: rawID) ?? ItemID("") }
}

extension RowPlace {
  /// Whether the place is directly before another row, or after all rows.
  var isBefore: Bool {
    switch self {
    case .before, .end: true
    case .after, .ordered: false
    }
  }
}
