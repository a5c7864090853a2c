internal import ItemList

/// The pending edits that concern one item, by their numbers.
struct EditHistory {
  /// The edits that remove the item.
  private(set) var removals = NumberMap<Void>()
  /// The edits that insert the item.
  private(set) var insertions = NumberMap<Void>()
  /// The edits that set the item's content: insertions and replacements.
  private(set) var contents = NumberMap<Void>()
  /// The insertions of other items directly before this item.
  var anchored = NumberMap<Void>()

  /// Whether no edit concerns the item.
  var isEmpty: Bool { !isEdited && anchored.isEmpty }

  /// Whether there are edits of the item itself.
  var isEdited: Bool { !removals.isEmpty || !contents.isEmpty }

  /// Adds an edit of the item.
  mutating func add(_ edit: ListEdit) {
    let number = UInt(edit.number)
    switch edit.change {
    case .insertion:
      insertions[number] = ()
      contents[number] = ()
    case .replacement: contents[number] = ()
    case .removal: removals[number] = ()
    }
  }

  /// Removes an edit of the item.
  mutating func remove(_ edit: ListEdit) {
    let number = UInt(edit.number)
    switch edit.change {
    case .insertion:
      insertions[number] = nil
      contents[number] = nil
    case .replacement: contents[number] = nil
    case .removal: removals[number] = nil
    }
  }

  /// The slot in which the item is shown after all edits before a number; nil if it isn't listed then.
  ///
  /// Inserting an item that is listed already doesn't move it. After a removal, the next insertion determines the slot.
  func place(of id: ItemID, isRow: Bool, before number: UInt = .max) -> SlotOrder.Slot? {
    let removal = removals.last(before: number)?.number
    if removal == nil, isRow { return .row(id) }
    guard let insertion = insertions.first(after: removal ?? 0)?.number, insertion < number else { return nil }
    return .insertion(insertion)
  }

  /// The number of the edit, from a given one on, at which the item's slot may change next.
  func end(of number: UInt, isListed: Bool) -> UInt {
    let next = [removals.first(after: number - 1), isListed ? nil : insertions.first(after: number - 1)]
    return next.compactMap { $0.map { $0.number + 1 } }.min() ?? .max
  }

  /// The newest edit of the item itself that is older than a number.
  func newestEdit(before number: UInt) -> UInt? {
    [removals, contents].compactMap { $0.last(before: number)?.number }.max()
  }
}
