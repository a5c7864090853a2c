internal import Flow
internal import ItemList

// How the results of edits change the list.

extension ListCore {
  /// Applies the result of an edit: the item as the source has it, and its id. Later edits of the item stay in effect.
  mutating func receive(_ result: EditResult, of edit: ListEdit) {
    let old = edits.currentID(of: edit)
    let new = result.item?.itemID ?? result.id ?? old
    if result.item == nil, new == old || edit.isRemoval { return }
    if new != old { rename(old, to: new) }
    if let item = result.item { edits.receive(item, for: edit) }
    // The rows still have the item under its old id. The edit becomes an insertion under the new id and a removal of
    // the old one.
    guard new != old, edit.isReplacement, let removal = edits.makeInsertion(of: edit, inPlaceOf: old) else { return }
    finish([removal], isMade: true)
  }

  /// Changes an item's id everywhere in the list.
  private mutating func rename(_ old: ItemID, to new: ItemID) {
    sent.rename(old, to: new)
    edits.rename(old, to: new)
    marks?.rename(old, to: new)
    window?.rename(old, to: new)
    sight.ends = sight.ends.map { ($0.first == old ? new : $0.first, $0.last == old ? new : $0.last) }
  }

  /// The current id of an item, given an id that a client may still use. If a row has exactly this id, it is returned
  /// unchanged, because the source may have given the id to another item.
  func currentID(of id: ItemID) -> ItemID { sent.ids.isEmpty || items.contains(id) ? id : sent.ids[id] }

  /// An item with its current id. The client may have sent it with the id that it had before.
  func renamed(_ item: ItemList.Item) -> ItemList.Item {
    if sent.ids.isEmpty { return item }
    let (old, new) = (item.itemID, currentID(of: item.itemID))
    return old == new ? item : item.identified(by: new)
  }

  /// Reports the failure of an edit.
  mutating func report(_ failure: Failure) {
    loads.failures.set(failure, isRefusal: true)
    loads.touch()
  }
}

extension PendingEdits {
  /// The current id of an edit's item.
  func currentID(of edit: ListEdit) -> ItemID {
    let number = UInt(edit.number)
    return entries[number]?.edit.id ?? waiting[number]?.edit.id ?? edit.id
  }

  /// Replaces the content that an edit gave its item by the item as the source has it. Later edits of the item stay in
  /// effect.
  mutating func receive(_ item: ItemList.Item, for edit: ListEdit) {
    let number = UInt(edit.number)
    waiting[number]?.item = item
    entries[number]?.item = item
    if histories[item.itemID]?.contents.last?.number == number { places.update(item) }
  }

  /// Gives the item of unanswered edits another id. The cost is O(log n) for a new item whose new id isn't listed. In
  /// other cases all edits are applied again.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    for (number, _) in waiting { waiting[number]?.rename(old, to: new) }
    guard let history = histories[old] else { return }
    for edits in [history.contents, history.removals, history.anchored] {
      for (number, _) in edits { entries[number]?.rename(old, to: new) }
    }
    guard !isStale, isApplied, histories[new] == nil, !places.contains(.row(old)), !places.contains(.row(new)),
      let insertion = history.insertions.first?.number, insertion == history.insertions.last?.number,
      let newest = history.contents.last?.number, let item = entries[newest]?.item
    else { return isStale = true }
    (histories[old], histories[new]) = (nil, history)
    places.rename(old, to: item, inInsertion: insertion)
  }

  /// Turns a replacement into an insertion, because the source gave the item another id. Returns a removal of the item
  /// under its old id; nil if the edit waits for other criteria.
  mutating func makeInsertion(of edit: ListEdit, inPlaceOf old: ItemID) -> ListEdit? {
    let number = UInt(edit.number)
    guard let entry = entries[number], let item = entry.item else { return nil }
    entries[number]?.edit = ListEdit(number: edit.number, id: entry.edit.id, change: .insertion(item, .before(old)))
    isStale = true
    return make(.removal, of: old, nil)
  }
}

extension PendingEdits.Entry {
  fileprivate mutating func rename(_ old: ItemID, to new: ItemID) {
    if edit.id == old { item = item?.identified(by: new) }
    edit = edit.renamed(old, to: new)
  }
}
