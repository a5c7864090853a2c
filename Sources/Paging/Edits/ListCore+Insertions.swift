internal import ItemList
internal import WireJSON

// Where items are inserted, and what happens to items that the source refuses.

extension ListCore {
  /// Where to insert an item: before another item, or at the end if the list inserts new items there.
  func place(before next: ItemID?) -> InsertionPlace {
    if declaration.rules.end == .end, next.map({ !items.contains($0) }) ?? true { .end } else { .before(next) }
  }

  /// Whether an edit is an insertion that the list keeps if it fails. This also holds for an insertion that was made
  /// under other criteria.
  func keepsFailed(_ request: SentEdits.Request) -> Bool {
    declaration.rules.onFailure == .keep && request.edits.count == 1 && request.edits[0].isInsertion
  }

  /// The number of an item's failed insertion; nil if there is none.
  func failedInsertion(of id: ItemID) -> UInt? {
    if sent.failed.isEmpty { return nil }
    return sent.failed.first { edits.currentID(of: $0.value.edits[0]) == id }?.number
  }

  /// Sends a failed insertion again. Returns false if the item has none.
  mutating func retryInsertion(of id: ItemID) -> Bool {
    guard let number = failedInsertion(of: id), let request = sent.failed[number] else { return false }
    sent.removeFailed(number)
    clearRefusal()
    _ = sent.send(request.edits, request.asked)
    return true
  }

  /// Drops a failed insertion, without a request to the source. Returns false if the item has none.
  mutating func dropInsertion(of id: ItemID) -> Bool {
    guard let number = failedInsertion(of: id), let request = sent.failed[number] else { return false }
    sent.removeFailed(number)
    marks?.forgetUnlisted([id])
    refuse(request.edits, nil)
    removals += 1
    clearRefusal()
    return true
  }

  /// Replaces the item of a failed insertion, without a request to the source. Returns false if the item has none.
  mutating func replaceInsertion(of item: ItemList.Item, asking asked: @autoclosure () -> Any) -> Bool {
    guard let number = failedInsertion(of: item.itemID), let request = sent.failed[number] else { return false }
    sent.replaceFailed(number, asked())
    edits.receive(item, for: request.edits[0])
    return true
  }

  /// Completes failed insertions whose items the source has after all, for example because only its answer was lost.
  mutating func finishListedInsertions() {
    if sent.failed.isEmpty { return }
    for (number, request) in sent.failed where rows.shown.all.rows.contains(edits.currentID(of: request.edits[0])) {
      sent.removeFailed(number)
      finish(request.edits, isMade: true)
    }
  }

  /// The listed items with an unfinished edit, in the order in which the edits were made.
  var pending: [PendingItem] {
    if sent.requests.isEmpty, sent.failed.isEmpty { return [] }
    var states: [ItemID: PendingItem.State] = [:]
    var ids: [ItemID] = []
    func add(_ edit: ListEdit, _ state: PendingItem.State) {
      let id = edits.currentID(of: edit)
      guard !edit.isRemoval, items.contains(id) else { return }
      if states.updateValue(state, forKey: id) == nil { ids.append(id) }
    }
    for (_, request) in sent.requests { for edit in request.edits { add(edit, .sending) } }
    for (_, request) in sent.failed { for edit in request.edits { add(edit, .failed) } }
    return ids.map { PendingItem(id: $0, state: states[$0] ?? .sending) }
  }
}
