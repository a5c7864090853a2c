internal import ItemList

// Where edits put their items.

extension PendingEdits {
  /// Changes what is known of an item, and lists it, and what was put before it, where that puts it. Nothing changes
  /// for the edits before the one that it is about.
  mutating func revise(_ id: ItemID, after number: UInt, _ change: (inout EditHistory) -> Void) {
    let old = histories[id, default: EditHistory()]
    var new = old
    change(&new)
    histories[id] = new.isEmpty ? nil : new
    let isRow = places.contains(.row(id))
    show(id, in: new.place(of: id, isRow: isRow), insteadOf: old.place(of: id, isRow: isRow))
    moveAnchored(to: id, after: number, from: (old, isRow), to: (new, isRow))
  }

  /// Shows an item in a place, or nowhere, that is shown in another, or nowhere.
  private mutating func show(_ id: ItemID, in place: SlotOrder.Slot?, insteadOf old: SlotOrder.Slot?) {
    if let old, old != place { places.hide(old, of: id) }
    guard let place else { return }
    let newest = histories[id]?.contents.last.flatMap { entries[$0.number]?.item }
    guard let item = newest ?? places.row(id) else { return }
    if old == place { places.update(item) } else { places.show(place, as: item) }
  }

  /// Moves what was put before an item to where that is now, which may have been elsewhere after an edit. Those that
  /// stood side by side and will again go together.
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
      // From where both are alike they stay so.
      if oldPlace == newPlace { break }
      let (wasListed, isListed) = (oldPlace != nil, newPlace != nil)
      let end = min(old.history.end(of: edit, isListed: wasListed), new.history.end(of: edit, isListed: isListed))
      let last = anchored.last(before: end)?.number ?? edit
      runs.append((edit...last, wasListed, isListed))
      next = anchored.first(after: last)?.number
    }
    // The newest first: each finds those that are newer where they belong.
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

  /// The block of an insertion that was taken out.
  private typealias Block = (edit: UInt, places: [SlotOrder.Taken])

  /// Takes the blocks of insertions out, those that stand side by side together, and gives them in the order of the
  /// edits.
  private mutating func take(_ edits: some Sequence<UInt>) -> [Block] {
    var ahead = edits.map { ($0, start(of: $0)..<end(of: $0)) }.sorted { $0.1.lowerBound < $1.1.lowerBound }
    var blocks: [Block] = []
    // From the back, so that the positions of the others stay as they are.
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

  /// Puts blocks where insertions belong that nothing stands before, those that will stand side by side together.
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

  /// Makes the place of an insertion that is newer than all that are carried out.
  mutating func makeSlot(of edit: ListEdit, for item: ItemList.Item, _ insertion: InsertionPlace) {
    let number = UInt(edit.number)
    let isListed = place(of: edit.id, before: number) != nil
    let (next, isAtEnd) = (insertion.next, insertion == .end)
    let position = isAtEnd ? places.count : position(of: number, before: next)
    places.insert(.insertion(number), of: edit.id, at: position, showing: isListed ? nil : item)
    if !isAtEnd, next.map({ place(of: $0, before: number) == nil }) ?? true { first[number] = () }
    if let next { histories[next, default: EditHistory()].anchored[number] = () }
  }

  /// Removes the slot of an insertion, in which nothing is shown any more. Other edits have none.
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

  /// Where an item stands once the edits before one are carried out; nil if it isn't listed then.
  private func place(of id: ItemID, before number: UInt) -> SlotOrder.Slot? {
    histories[id, default: EditHistory()].place(of: id, isRow: places.contains(.row(id)), before: number)
  }

  /// The position among all places where the block of an insertion belongs.
  private mutating func position(of number: UInt, before next: ItemID?) -> Int {
    guard let next, let place = place(of: next, before: number) else {
      // What was put first later stands before it.
      guard let later = first.first(after: number)?.number else { return 0 }
      return places.index(of: .insertion(later)).map { $0 + 1 } ?? 0
    }
    // What was put there later stands behind it.
    if let later = histories[next]?.anchored.first(after: number)?.number, self.place(of: next, before: later) == place
    {
      return start(of: later)
    }
    if case .insertion(let edit) = place, !places.contains(.blockStart(edit)) {
      places.insert(.blockStart(edit), of: next, at: places.index(of: place) ?? 0)
    }
    return places.index(of: place) ?? 0
  }

  /// The position among all places of the first in an insertion's block.
  private func start(of number: UInt) -> Int {
    places.index(of: .blockStart(number)) ?? places.index(of: .insertion(number)) ?? 0
  }

  /// The position among all places after the last in an insertion's block.
  private func end(of number: UInt) -> Int { places.index(of: .insertion(number)).map { $0 + 1 } ?? 0 }
}
