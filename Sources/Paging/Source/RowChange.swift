public import ItemList
internal import WireJSON

/// Where a source lists an item.
public enum RowPlace: Hashable, Sendable {
  /// Where the list's order puts it; first where it has none.
  case ordered
  /// Before the item with an id.
  case before(ItemID)
  /// After the item with an id.
  case after(ItemID)
  /// Last of all.
  case end
}

/// One change of a row, whatever the type of the items.
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

  /// What it is now; nil of one that is gone.
  var item: ItemList.Item? {
    switch self {
    case .insert(let item, _, _), .change(let item): item
    case .remove: nil
    }
  }

  /// The position among all rows that the source gave.
  var position: Int? {
    switch self {
    case .insert(_, _, let position), .remove(_, let position): position
    case .change: nil
    }
  }

  /// Roughly how many bytes one takes beside its item.
  static var ownCost: Int { 256 }

  /// Roughly how many bytes it takes.
  var cost: Int { RowChange.ownCost + (item?.bytes.count ?? 0) }

  /// Whether it names a place beside another row or at the end, which only the rows as they were then have.
  var isAnchored: Bool {
    if case .insert(_, let place, _) = self { place != .ordered } else { false }
  }
}

extension ItemList.Item {
  package var itemID: ItemID { ItemID(trusting: rawID) ?? ItemID("") }
}

extension RowPlace {
  /// Whether it is just before another row, or behind all.
  var isBefore: Bool {
    switch self {
    case .before, .end: true
    case .after, .ordered: false
    }
  }
}
