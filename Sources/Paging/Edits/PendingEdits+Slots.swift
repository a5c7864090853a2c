internal import ItemList

// The slots of edits: where the edits put their items.

extension PendingEdits {
  /// Changes an item's history, and moves the item, and insertions before it, to where the new history puts them.
  /// Positions as of earlier edits don't change.
  mutating func revise(_ id: ItemID, after number: UInt, _ change: (inout EditHistory) -> Void) {
    let old = histories[id, default: EditHistory()]
    var new = old
    change(&new)
    histories[id] = new.isEmpty ? nil : new
    let isRow = places.contains(.row(id))
    show(id, in: new.place(of: id, isRow: isRow), insteadOf: old.place(of: id, isRow: isRow))
    moveAnchored(to: id, after: number, from: (old, isRow), to: (new, isRow))
  }

  /// Moves an item from one slot to another. Nil means that it isn't shown.
  private mutating func show(_ id: ItemID, in place: SlotOrder.Slot?, insteadOf old: SlotOrder.Slot?) {
    if let old, old != place { places.hide(old, of: id) }
    guard let place else { return }
    let newest = histories[id]?.contents.last.flatMap { entries[$0.number]?.item }
    guard let item = newest ?? places.row(id) else { return }
    if old == place { places.update(item) } else { places.show(place, as: item) }
  }

  /// Moves the insertions before an item after the item's slot changed. Which slot the item has depends on the number
  /// of each insertion. Insertions that stay adjacent are moved together.
  private mutating func moveAnchored(
    to id: ItemID, after number: UInt, from old: (history: EditHistory, isRow: Bool),
    to new: (history: EditHistory, isRow: Bool)
  ) {
    guard let anchored = histories[id]?.anchored else { return }
    var runs: [(edits: ClosedRange<UInt>, wasListed: Bool, isListed: Bool)] = []
    var next = anchored.first(after: number)?.number
    while let edit = next {
      let oldPlace = old.history.place(of: id, isRow: old.isRow, before: edit)
      let newPlace = new.history.place(of: id, isRow: new.isRow, before: edit)
      // From this edit on the old and the new slot are equal, so the later ones are equal too.
      if oldPlace == newPlace { break }
      let (wasListed, isListed) = (oldPlace != nil, newPlace != nil)
      let end = min(old.history.end(of: edit, isListed: wasListed), new.history.end(of: edit, isListed: isListed))
      let last = anchored.last(before: end)?.number ?? edit
      runs.append((edit...last, wasListed, isListed))
      next = anchored.first(after: last)?.number
    }
    // The newest are moved first, so that each finds newer insertions in their final positions.
    for (edits, wasListed, isListed) in runs.reversed() {
      if wasListed, isListed || edits.count == 1 {
        let target = position(of: edits.upperBound, before: isListed ? id : nil)
        places.move(start(of: edits.lowerBound)..<end(of: edits.upperBound), to: target)
        if !isListed { first[edits.lowerBound] = () }
        continue
      }
      let numbers = sequence(first: edits.lowerBound) { anchored.first(after: $0)?.number }
      let blocks = take(numbers.prefix { $0 <= edits.upperBound })
      guard isListed else {
        putFirst(blocks)
        continue
      }
      for (edit, _) in blocks { first[edit] = nil }
      places.put(blocks.flatMap(\.places), at: position(of: edits.upperBound, before: id))
    }
  }

  /// The slots of an insertion's block, removed from the order to be put elsewhere.
  private typealias Block = (edit: UInt, places: [SlotOrder.Taken])

  /// Takes the blocks of insertions out of the order, adjacent blocks together. Returns them in the order of the edits.
  private mutating func take(_ edits: some Sequence<UInt>) -> [Block] {
    var ahead = edits.map { ($0, start(of: $0)..<end(of: $0)) }.sorted { $0.1.lowerBound < $1.1.lowerBound }
    var blocks: [Block] = []
    // From the last to the first, so that the positions of the others don't change.
    while let last = ahead.popLast() {
      var group = [last]
      while let next = ahead.last, next.1.upperBound == group[group.count - 1].1.lowerBound {
        group.append(next)
        ahead.removeLast()
      }
      let start = group[group.count - 1].1.lowerBound
      let taken = places.take(start..<last.1.upperBound)
      for (edit, range) in group {
        blocks.append((edit, Array(taken[range.lowerBound - start..<range.upperBound - start])))
      }
    }
    return blocks.sorted { $0.edit < $1.edit }
  }

  /// Puts blocks at the start of the list. Insertions belong there if the item that they were made before isn't listed.
  /// Blocks that will be adjacent are put together.
  private mutating func putFirst(_ blocks: [Block]) {
    var groups: [(later: UInt?, edit: UInt, places: [SlotOrder.Taken])] = []
    for (edit, taken) in blocks.reversed() {
      let later = first.first(after: edit)?.number
      if let last = groups.last, last.later == later {
        groups[groups.count - 1].places += taken
      } else {
        groups.append((later, edit, taken))
      }
    }
    for group in groups { places.put(group.places, at: position(of: group.edit, before: nil)) }
    for (edit, _) in blocks { first[edit] = () }
  }

  /// Makes the slot of an insertion, which must be newer than all applied edits.
  mutating func makeSlot(of edit: ListEdit, for item: ItemList.Item, _ insertion: InsertionPlace) {
    let number = UInt(edit.number)
    let isListed = place(of: edit.id, before: number) != nil
    let (next, isAtEnd) = (insertion.next, insertion == .end)
    let position = isAtEnd ? places.count : position(of: number, before: next)
    places.insert(.insertion(number), of: edit.id, at: position, showing: isListed ? nil : item)
    if !isAtEnd, next.map({ place(of: $0, before: number) == nil }) ?? true { first[number] = () }
    if let next { histories[next, default: EditHistory()].anchored[number] = () }
  }

  /// Removes the slot of an insertion in which nothing is shown any more. Other edits have no slot.
  mutating func removeSlot(of edit: ListEdit) {
    guard case .insertion(_, let place) = edit.change else { return }
    let number = UInt(edit.number)
    places.remove(.insertion(number))
    places.remove(.blockStart(number))
    first[number] = nil
    guard let next = place.next, var history = histories[next] else { return }
    history.anchored[number] = nil
    histories[next] = history.isEmpty ? nil : history
  }

  /// The slot in which an item is shown after all edits before a number; nil if it isn't listed then.
  private func place(of id: ItemID, before number: UInt) -> SlotOrder.Slot? {
    histories[id, default: EditHistory()].place(of: id, isRow: places.contains(.row(id)), before: number)
  }

  /// The position in the order where the block of an insertion belongs.
  private mutating func position(of number: UInt, before next: ItemID?) -> Int {
    guard let next, let place = place(of: next, before: number) else {
      // Later insertions at the start come before it.
      guard let later = first.first(after: number)?.number else { return 0 }
      return places.index(of: .insertion(later)).map { $0 + 1 } ?? 0
    }
    // Later insertions before the same item come after it.
    if let later = histories[next]?.anchored.first(after: number)?.number, self.place(of: next, before: later) == place
    {
      return start(of: later)
    }
    if case .insertion(let edit) = place, !places.contains(.blockStart(edit)) {
      places.insert(.blockStart(edit), of: next, at: places.index(of: place) ?? 0)
    }
    return places.index(of: place) ?? 0
  }

  /// The position in the order of the first slot in an insertion's block.
  private func start(of number: UInt) -> Int {
    places.index(of: .blockStart(number)) ?? places.index(of: .insertion(number)) ?? 0
  }

  /// The position in the order after the last slot in an insertion's block.
  private func end(of number: UInt) -> Int { places.index(of: .insertion(number)).map { $0 + 1 } ?? 0 }
}
