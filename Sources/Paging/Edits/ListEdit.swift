internal import ItemList
internal import WireJSON

/// One edit of a list.
struct ListEdit {
  /// What is done to the item.
  enum Change {
    /// It is put in before another, first where that is nil or isn't listed; where it is listed itself, in its own place.
    case insertion(ItemList.Item, before: ItemID?)
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
    if case .insertion(let item, before: old) = change { change = .insertion(item, before: new) }
    return ListEdit(number: number, id: id == old ? new : id, change: change)
  }

  var isInsertion: Bool { if case .insertion = change { true } else { false } }
  var isRemoval: Bool { if case .removal = change { true } else { false } }
  var isReplacement: Bool { if case .replacement = change { true } else { false } }
}
