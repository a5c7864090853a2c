internal import ItemList

/// The edits of one item that are no part of the source's rows yet, by their numbers.
struct EditHistory {
  /// The edits that take it out.
  private(set) var removals = NumberMap<Void>()
  /// The edits that put it in.
  private(set) var insertions = NumberMap<Void>()
  /// The edits that say what it is: those that put it in, and those that change it.
  private(set) var contents = NumberMap<Void>()
  /// The edits that put another item before it.
  var anchored = NumberMap<Void>()

  /// Whether nothing is to be known of it.
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

  /// Where the item is, once the edits before one are carried out: it stays where it stands when it is put in again,
  /// and stands where it is put in first after it was taken out. Nil where it isn't listed.
  func place(of id: ItemID, isRow: Bool, before number: UInt = .max) -> SlotOrder.Slot? {
    let removal = removals.last(before: number)?.number
    if removal == nil, isRow { return .row(id) }
    guard let insertion = insertions.first(after: removal ?? 0)?.number, insertion < number else { return nil }
    return .insertion(insertion)
  }

  /// The first edit after one for which the item may be elsewhere than it is for that.
  func end(of number: UInt, isListed: Bool) -> UInt {
    let next = [removals.first(after: number - 1), isListed ? nil : insertions.first(after: number - 1)]
    return next.compactMap { $0.map { $0.number + 1 } }.min() ?? .max
  }

  /// The newest of the item's own edits that are older than one.
  func newestEdit(before number: UInt) -> UInt? {
    [removals, contents].compactMap { $0.last(before: number)?.number }.max()
  }
}
