internal import ItemList
internal import WireJSON

/// One edit of a list.
struct ListEdit {
  /// What is done to the item.
  enum Change {
    /// The item is inserted. If it is listed, it is replaced.
    case insertion(ItemList.Item, InsertionPlace)
    /// It is another from now on.
    case replacement
    /// It is taken out.
    case removal
  }

  /// Which of the list's edits it is: the later, the higher.
  let number: Int
  /// Which item.
  let id: ItemID
  /// What is done to it.
  let change: Change

  /// The same as an edit that only replaces the item.
  var asReplacement: ListEdit { ListEdit(number: number, id: id, change: .replacement) }

  /// The same of an item that has another id.
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
  /// Before the item with an id; first if that is nil or isn't listed.
  case before(ItemID?)
  /// Behind the last row, and behind the items that were inserted there earlier.
  case end

  /// The id of the item before which it is.
  var next: ItemID? { if case .before(let id) = self { id } else { nil } }

  /// The row at which it is; nil if it is before an item that isn't listed, or first.
  func row(in rows: ItemList) -> Int? { self == .end ? rows.count : next.flatMap(rows.index) }
}
