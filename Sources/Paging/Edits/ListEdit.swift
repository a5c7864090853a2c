internal import ItemList
internal import WireJSON

/// One edit of a list, as the list applies it to its rows.
struct ListEdit {
  /// What the edit does to its item.
  enum Change {
    /// The item is inserted. If it is listed already, it is replaced.
    case insertion(ItemList.Item, InsertionPlace)
    /// The item's content is replaced.
    case replacement
    /// The item is removed.
    case removal
  }

  /// The number of the edit in its list. Later edits have higher numbers.
  let number: Int
  /// The id of the item.
  let id: ItemID
  /// What the edit does to the item.
  let change: Change

  /// The same edit, but as a replacement of the item.
  var asReplacement: ListEdit { ListEdit(number: number, id: id, change: .replacement) }

  /// The same edit after an item was given another id.
  func renamed(_ old: ItemID, to new: ItemID) -> ListEdit {
    var change = change
    if case .insertion(let item, .before(old)) = change { change = .insertion(item, .before(new)) }
    return ListEdit(number: number, id: id == old ? new : id, change: change)
  }

  var isInsertion: Bool { if case .insertion = change { true } else { false } }
  var isRemoval: Bool { if case .removal = change { true } else { false } }
  var isReplacement: Bool { if case .replacement = change { true } else { false } }
}

/// Where an edit inserts an item.
enum InsertionPlace: Equatable {
  /// Before the item with an id; at the start if that is nil or isn't listed.
  case before(ItemID?)
  /// After the last row, and after items that were inserted there earlier.
  case end

  /// The id of the item after the position; nil if there is none.
  var next: ItemID? { if case .before(let id) = self { id } else { nil } }

  /// The index of the row at the position; nil at the start, or if the item after the position isn't listed.
  func row(in rows: ItemList) -> Int? { self == .end ? rows.count : next.flatMap(rows.index) }
}
