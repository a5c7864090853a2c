internal import ItemList

// How pending edits affect a page, in a list that isn't watched.

extension PendingEdits {
  /// The items of a page, divided by how edits affect them.
  struct PageItems {
    /// The items that become rows.
    var items: RawItems
    /// The positions in the page of these items; nil if all items become rows.
    var positions: [Int]?
    /// The positions in the page of repeated items that don't become rows.
    var repeated: [Int] = []
    /// New content for rows whose item is edited.
    var replacements: [ItemList.Item] = []

    /// Merges the positions of all repeated items.
    ///
    /// - Parameter among: the positions of repeated items among ``items``.
    /// - Returns: the positions in the page of all items whose id occurred earlier in it.
    func repeated(_ among: [Int]) -> [Int] {
      positions.map { positions in (among.map { positions[$0] } + repeated).sorted() } ?? among
    }
  }

  /// Divides a page's items by how edits affect them:
  ///
  /// - An item that the source has removed is left out.
  /// - An item of a settled edit becomes the new content of that edit.
  /// - Other items become rows. They undo changes that only the list made.
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

  /// What happens to an item of a page.
  private enum PageSlot: Equatable {
    /// It is left out, because the source has removed it.
    case nowhere
    /// It becomes the content of an edit that the source has made.
    case edit(UInt)
    /// It becomes a row.
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

  /// Undoes changes of an item that weren't sent to the source.
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
