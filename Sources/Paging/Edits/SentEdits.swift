internal import Flow
internal import ItemList
internal import WireJSON

/// The edits that the list sends to its source: unanswered ones, held ones, and failed insertions that the list keeps.
/// The keys are the numbers of their requests.
struct SentEdits {
  /// The source's answer to an edit.
  struct Answer {
    let number: Int
    /// The result of the edit; nil if the source didn't make it.
    let result: EditResult?
    /// Why the source refused the edit; nil if it made the edit, or if the edit was given up. If the edit was answered
    /// before, it is a fault in that answer.
    var failure: Failure?
  }

  /// An edit that was sent and isn't answered.
  struct Request {
    /// The changes of the list.
    var edits: [ListEdit]
    /// The edit as it is sent: an `Edit` of the list's item type. It is untyped, because the list's data doesn't depend
    /// on the item type.
    let asked: Any
  }

  /// An edit of all items that match the criteria, with some exceptions.
  struct EditOfAll {
    let items: MarkedItems
    /// The fields that the items get; nil if they are removed.
    let set: RawJSON?
  }

  /// Changes whenever an edit is sent or answered.
  private(set) var revision = 0
  private(set) var requests = NumberMap<Request>()
  /// The ids that the source gave to inserted and changed items.
  private(set) var ids = SourceIDs()
  /// The sum of the numbers of ``requests``.
  private(set) var sum = RunSum()
  /// The unanswered edits of all matching items.
  var editsOfAll = NumberMap<EditOfAll>()
  /// The failed insertions that the list keeps.
  private(set) var failed = NumberMap<Request>()
  /// Whether edits that can be undone are held. Something must send them later.
  var canHold = false
  /// The edits that the user can still undo, which aren't sent yet. The key is the highest number of an edit's
  /// requests.
  private(set) var held = NumberMap<Held>()
  /// The sum of the numbers of ``held``.
  private(set) var heldSum = RunSum()
  /// Changes whenever ``held`` does.
  private(set) var heldRevision = 0
  /// The edits of all matching items that the source made while a load runs. The load's page doesn't include them.
  var confirmedEditsOfAll: [EditOfAll] = []
  /// The criteria of the unanswered removals of all matching items, by the numbers of their requests.
  var removalsOfAll: [Int: Criteria] = [:]
  /// The listed items before a page came in this step, if there are edits of all matching items.
  var itemsBeforePage: ItemList?

  /// Sends an edit, and returns the number of its request.
  mutating func send(_ edits: [ListEdit], _ asked: Any, editOfAll: EditOfAll? = nil) -> Int {
    revision = UniqueNumber.next()
    if let editOfAll { self.editsOfAll[UInt(revision)] = editOfAll }
    requests[UInt(revision)] = Request(edits: edits, asked: asked)
    sum.add(revision)
    return revision
  }

  /// Sends an edit as a request with a given number.
  mutating func send(_ edits: [ListEdit], _ asked: Any, as number: Int) {
    requests[UInt(number)] = Request(edits: edits, asked: asked)
    sum.add(number)
    revision = UniqueNumber.next()
  }

  /// Holds the parts of an edit, and returns the numbers of their requests.
  mutating func hold(_ parts: [Held.Part], _ report: UndoableEdit) -> [Int] {
    let parts = parts.map { (number: UniqueNumber.next(), part: $0) }
    for (number, part) in parts { editsOfAll[UInt(number)] = part.editOfAll }
    let last = parts[parts.count - 1].number
    held[UInt(last)] = Held(parts: parts, report: report)
    heldSum.add(last)
    heldRevision = last
    return parts.map(\.number)
  }

  /// Removes a held edit.
  mutating func removeHeld(_ key: UInt) {
    held[key] = nil
    heldSum.remove(Int(key))
    heldRevision = UniqueNumber.next()
  }

  /// Whether a request isn't answered yet. It may be held and not sent.
  func isUnanswered(_ number: UInt) -> Bool { requests[number] != nil || held[number] != nil }

  /// The changes that a request makes to the list, whether it is sent or held.
  func edits(of number: UInt) -> [ListEdit] { requests[number]?.edits ?? held[number]?.parts.last?.part.edits ?? [] }

  /// Keeps a failed insertion.
  mutating func keepFailed(_ number: Int, _ request: Request) { failed[UInt(number)] = request }

  /// Removes a failed insertion, because it is sent again or dropped.
  mutating func removeFailed(_ number: UInt) { failed[number] = nil }

  /// Replaces the edit that is sent if a failed insertion is tried again.
  mutating func replaceFailed(_ number: UInt, _ asked: Any) {
    if let request = failed[number] { failed[number] = Request(edits: request.edits, asked: asked) }
  }

  /// Adds changes to a request.
  mutating func extend(_ number: UInt, by edits: [ListEdit]) {
    requests[number]?.edits += edits
    if var held = held[number] {
      held.parts[held.parts.count - 1].part.edits += edits
      self.held[number] = held
    }
  }

  /// Records that the source gave an item another id.
  mutating func rename(_ old: ItemID, to new: ItemID) { ids.rename(old, to: new) }

  /// Records that a new item has an id, even if an earlier item had the same id.
  mutating func insert(_ id: ItemID) { ids.forget(id) }

  /// Removes an answered request. Returns its changes; nil if the request is unknown.
  mutating func remove(_ number: Int) -> [ListEdit]? {
    guard let edits = requests[UInt(number)]?.edits else { return nil }
    (requests[UInt(number)], editsOfAll[UInt(number)]) = (nil, nil)
    sum.remove(number)
    revision = UniqueNumber.next()
    return edits
  }
}

extension ListCore {
  /// Whether the source supports edits of a kind.
  func makes(_ kind: EditKind) -> Bool { declaration.source.makes(kind) }

  /// Clears the failure of an edit, because another edit follows.
  mutating func clearRefusal() { if loads.failures.clearRefusal() { loads.touch() } }

  /// Whether the source can make edits of a kind for many items at once.
  func makesAtOnce(_ kind: EditKind) -> Bool { makes(kind) && makes(.marked) }

  /// Sends an edit to the source, if the source supports its kind. If not, the list makes it alone.
  mutating func make<Item>(_ edits: [ListEdit], _ asked: @autoclosure () -> Edit<Item>, _ kind: EditKind) {
    if edits.isEmpty { return }
    sendHeldEdits(before: edits)
    if makes(kind) { send(edits, asked()) } else { finish(edits, isMade: false) }
  }

  /// Removes a listed item. The removal is sent at once, or held if it can be undone.
  mutating func makeRemoval<Item>(of id: ItemID, _: Item.Type) {
    if dropInsertion(of: id) { return }
    guard let undoTime else { return make(remove([id]), Edit<Item>.remove(id), .remove) }
    hold([removal(of: [id], Item.self)], UndoableEdit([id], by: "remove", for: undoTime))
  }

  /// Makes a removal to be held.
  private mutating func removal<Item>(of ids: [ItemID], _: Item.Type) -> SentEdits.Held.Part {
    SentEdits.Held.Part(
      edits: remove(ids), asked: makes(.remove) ? { [id = ids[0]] in Edit<Item>.remove($0[id]) } : nil)
  }

  @discardableResult
  mutating func send<Item>(_ edits: [ListEdit], _ asked: Edit<Item>, editOfAll: SentEdits.EditOfAll? = nil) -> Int {
    clearRefusal()
    return sent.send(edits, asked, editOfAll: editOfAll)
  }

  /// Receives the source's answer to an edit. A refused edit is undone.
  mutating func receive(_ answer: SentEdits.Answer) {
    let (editOfAll, isMade) = (sent.editsOfAll[UInt(answer.number)], answer.result != nil)
    if let failure = answer.failure, !isMade, let request = sent.requests[UInt(answer.number)], keepsFailed(request) {
      _ = sent.remove(answer.number)
      sent.keepFailed(answer.number, request)
      return report(failure)
    }
    guard let edits = sent.remove(answer.number) else { return answer.failure.map { report($0) } ?? () }
    if let editOfAll, isMade, loads.running != nil, !isFollowed { sent.confirmedEditsOfAll.append(editOfAll) }
    endRemovalOfAll(answer.number, isRefused: !isMade)
    if let result = answer.result {
      if let edit = edits.first, edits.count == 1 { receive(result, of: edit) }
      finish(edits, isMade: true)
    } else {
      marks?.forgetUnlisted(edits.filter(\.isInsertion).map { self.edits.currentID(of: $0) })
      refuse(edits, answer.failure)
    }
    marks?.end(answer.number, isRefused: !isMade)
  }

  // MARK: - Edits of many items

  /// Removes all marked items. Throws if not all of them are loaded and the source can't edit many items at once.
  mutating func removeMarked<Item>(_: Item.Type) throws(Refusal) {
    let rows = try markedRows(.remove)
    let ids = rows.map(\.itemID)
    guard makesAtOnce(.remove) else {
      // The items are removed one by one. If the source refuses one of them, only this item's mark comes back.
      if marks?.marked.isAll == true {
        marks?.setAll(false, criteria)
        marks?.set(ids, true, criteria)
      }
      if let undoTime {
        let parts = makes(.remove) ? ids.map { removal(of: [$0], Item.self) } : [removal(of: ids, Item.self)]
        return _ = hold(parts, UndoableEdit(ids, by: "remove", for: undoTime))
      }
      guard makes(.remove) else { return finish(remove(ids), isMade: false) }
      for id in ids { make(remove([id]), Edit<Item>.remove(id), .remove) }
      return
    }
    guard let items = markedItems else { return }
    let count = markedCount
    let number = sendMarked(remove(ids), Edit<Item>.self, items, count: count, set: nil)
    marks?.takeAll(items.ids, for: number)
    if items.all != nil { sent.removalsOfAll[number] = criteria }
  }

  /// Gives all marked items some fields. Throws if not all of them are loaded and the source can't edit many items at
  /// once.
  mutating func changeMarked(_ set: RawJSON) throws(Refusal) {
    let rows = try markedRows(.change).map { $0.merging(set) }
    guard makesAtOnce(.change) else {
      if let undoTime {
        return _ = hold(rows.map { change(to: $0) }, UndoableEdit(rows.map(\.itemID), by: "change", for: undoTime))
      }
      guard makes(.change) else { return rows.forEach { replace($0) } }
      for row in rows { make(update([row]), Edit<RawJSON>.update(row.json), .change) }
      return
    }
    guard let items = markedItems else { return }
    sendMarked(update(rows), Edit<RawJSON>.self, items, count: markedCount, set: set)
  }

  /// Makes a change to be held.
  private mutating func change(to row: ItemList.Item) -> SentEdits.Held.Part {
    SentEdits.Held.Part(
      edits: update([row]),
      asked: makes(.change) ? { Edit<RawJSON>.update(row.identified(by: $0[row.itemID]).json) } : nil)
  }

  /// Sends an edit of many items, or holds it if it can be undone. Returns the number of its request.
  @discardableResult
  private mutating func sendMarked<Item>(
    _ edits: [ListEdit], _: Edit<Item>.Type, _ items: MarkedItems, count: Int?, set: RawJSON?
  ) -> Int {
    let editOfAll = items.all.map { _ in SentEdits.EditOfAll(items: items, set: set) }
    guard let undoTime else {
      sendHeldEdits(before: edits, isOfAll: editOfAll != nil)
      return send(edits, Edit<Item>.marked(items, set: set), editOfAll: editOfAll)
    }
    let input = set == nil ? "remove" : "change"
    let report =
      editOfAll == nil
      ? UndoableEdit(items.ids, by: input, for: undoTime)
      : UndoableEdit(allBut: items.ids, count: count, by: input, for: undoTime)
    let part = SentEdits.Held.Part(
      edits: edits,
      asked: { ids in
        Edit<Item>.marked(MarkedItems(ids: items.ids.map { ids[$0] }, butOf: items.all, at: items.state), set: set)
      }, editOfAll: editOfAll)
    return hold([part], report).last ?? 0
  }

  /// How many items are marked; nil if unknown.
  var markedCount: Int? {
    guard let marks else { return 0 }
    if !marks.marked.isAll { return marks.ids.count }
    return isCounted ? max(0, shown.list.count - marks.ids.count) : nil
  }

  /// The marked items, as they are sent to the source; nil if there are none.
  private var markedItems: MarkedItems? {
    guard let marks else { return nil }
    if marks.marked.isAll { return MarkedItems(ids: marks.ids, butOf: criteria, at: rows.state) }
    return marks.ids.isEmpty ? nil : MarkedItems(ids: marks.ids)
  }

  /// The marked rows that are loaded. Throws if others are marked too and the source can't edit many items at once.
  private func markedRows(_ kind: EditKind) throws(Refusal) -> [ItemList.Item] {
    guard let marks else { return [] }
    let rows: [ItemList.Item]
    let areAllRead: Bool
    if marks.marked.isAll {
      rows = items.filter { marks.marked.contains($0.itemID) }
      areAllRead = isComplete
    } else {
      rows = marks.ids.compactMap(items.item)
      areAllRead = rows.count == marks.ids.count
    }
    if areAllRead || makesAtOnce(kind) { return rows }
    throw Refusal(
      "marked",
      mustBe: "left out until all marked items are loaded, because the source has no \"marked\" among its \"writes\"")
  }

  /// Applies edits of all matching items to the items of a page that just came: the unanswered edits, and those that
  /// the source made after the page was requested.
  mutating func extendEditsOfAll(since before: ItemList) {
    for (number, edit) in sent.editsOfAll where edit.items.all == criteria {
      let known = Set(sent.edits(of: number).map(\.id))
      let more = carryOut(edit, onThoseNewSince: before, but: known)
      if more.isEmpty { continue }
      sent.extend(number, by: more)
      // The page may include these edits already, and the source's reports about them may have been missed.
      edits.markUncertain()
    }
    for edit in sent.confirmedEditsOfAll where edit.items.all == criteria {
      finish(carryOut(edit, onThoseNewSince: before, but: []), isMade: true)
    }
    if loads.running == nil { sent.confirmedEditsOfAll = [] }
  }

  /// Applies an edit of all matching items to those that weren't listed before. Returns the changes of single items.
  private mutating func carryOut(
    _ edit: SentEdits.EditOfAll, onThoseNewSince before: ItemList, but known: Set<ItemID>
  ) -> [ListEdit] {
    let exceptions = known.union(edit.items.ids).union(edit.items.ids.map { sent.ids[$0] })
    let new = ItemList.splices(from: before, to: items).flatMap { items.items(in: $0.items) }
      .filter { !exceptions.contains($0.itemID) && !edits.inserts($0.itemID) }
    if new.isEmpty { return [] }
    return edit.set.map { set in update(new.map { $0.merging(set) }) } ?? remove(new.map(\.itemID))
  }
}

extension ItemList.Item {
  /// The item with the fields of an object. They replace fields of the same names; others are added at the end.
  fileprivate func merging(_ set: RawJSON) -> ItemList.Item {
    let merged = json.merging(set)
    if let name = idMember, let item = ItemList.Item(merged, id: name), item.itemID == itemID { return item }
    return ItemList.Item(Array(merged.bytes), id: Array(rawID))
  }
}
