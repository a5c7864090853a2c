internal import ItemList

// What edits make of a page in a list that isn't followed.

extension PendingEdits {
  /// What becomes of a page beside edits that the source has made.
  struct PageItems {
    /// The items that go to the rows.
    var items: RawItems
    /// Their positions in the page; nil if all of them do.
    var positions: [Int]?
    /// The positions in the page of items that came before in it and don't go to the rows.
    var repeated: [Int] = []
    /// What the rows are where the page says what the item of an edit is.
    var replacements: [ItemList.Item] = []

    /// Adds the repeated items among those that go to the rows.
    ///
    /// - Parameter among: their positions among these.
    /// - Returns: the positions in the page of all items whose id came before in it.
    func repeated(_ among: [Int]) -> [Int] {
      positions.map { positions in (among.map { positions[$0] } + repeated).sorted() } ?? among
    }
  }

  /// Takes those items out of a page that are known better: an item that the source has removed stays out, and the item of a
  /// settled edit becomes what the page says. Changes of the list's own are undone by a page that holds their item.
  mutating func receive(_ page: RawItems, isGone: (ItemID) -> Bool) -> PageItems {
    var result = PageItems(items: page)
    var (kept, known) = ([Int](), [ItemID: PageSlot]())
    for position in 0..<page.count {
      let id = page.id(at: position)
      let before = known[id]
      guard before != nil || histories[id] != nil || isGone(id) else {
        kept.append(position)
        continue
      }
      let slot = before ?? self.slot(of: id, isGone: isGone)
      known[id] = slot
      if before == nil, slot != .nowhere { dropOwnChanges(of: id) }
      if slot == .rows {
        kept.append(position)
        continue
      }
      if before != nil { result.repeated.append(position) }
      if case .edit(let number) = slot {
        let item = ItemList.Item(page, at: position)
        entries[number]?.item = item
        result.replacements.append(item)
        isStale = true
      }
    }
    if kept.count < page.count { (result.items, result.positions) = (page.items(at: kept), kept) }
    return result
  }

  /// Where an item of a page belongs.
  private enum PageSlot: Equatable {
    /// Nowhere: the source has removed it.
    case nowhere
    /// In an edit that the source has made.
    case edit(UInt)
    /// Among the rows.
    case rows
  }

  private func slot(of id: ItemID, isGone: (ItemID) -> Bool) -> PageSlot {
    var newest = histories[id]?.newestEdit(before: .max)
    while let number = newest {
      if let entry = entries[number], entry.isSettled, !entry.isOwn {
        if case .removal = entry.edit.change { return .nowhere }
        return .edit(number)
      }
      newest = histories[id]?.newestEdit(before: number)
    }
    return isGone(id) ? .nowhere : .rows
  }

  /// Undoes changes that the source was never asked for.
  private mutating func dropOwnChanges(of id: ItemID) {
    for (number, _) in histories[id]?.contents ?? NumberMap() where entries[number]?.isOwn == true {
      entries[number] = nil
      isStale = true
    }
  }
}

extension RawItems {
  /// The items at some positions.
  fileprivate func items(at positions: [Int]) -> RawItems {
    RawItems(bytes: bytes, slices: positions.map { slices[$0] })
  }
}
