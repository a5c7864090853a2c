internal import Flow
internal import ItemList
internal import WireJSON

/// The edits that the source is asked to make and hasn't answered, by the numbers of their requests.
struct SentEdits {
  /// What a source answers.
  struct Answer {
    let number: Int
    /// What it made of the edit's item; nil if it didn't make the edit.
    let result: EditResult?
    /// Why it refuses; nil if it made the edit, or the edit was given up. For an edit that was answered before, what was wrong
    /// with that answer.
    var failure: Failure?
  }

  /// An edit that isn't answered.
  struct Request {
    /// What it does to the list.
    var edits: [ListEdit]
    /// An `Edit` of the list's item type. A map of generic values can't be compiled for their type.
    let asked: Any
  }

  /// An edit of all that is looked for but some items.
  struct OfAll {
    let items: MarkedItems
    /// The members that the items get; nil if they are removed.
    let set: RawJSON?
  }

  /// A new one after each edit that is sent or answered.
  private(set) var revision = 0
  private(set) var requests = NumberMap<Request>()
  /// The ids that the source gave inserted and changed items.
  private(set) var ids = SourceIDs()
  /// The sum of the requests' numbers.
  private(set) var sum = RunSum()
  /// The unanswered edits of all that is looked for.
  var ofAll = NumberMap<OfAll>()
  /// The insertions that failed and that the list keeps, by the numbers of their requests.
  private(set) var failed = NumberMap<Request>()
  /// Whether edits that can be undone are held back: something sends them later.
  var canHold = false
  /// The edits that the user can still undo, by the numbers of their newest requests. The source isn't asked for them yet.
  private(set) var held = NumberMap<Held>()
  /// The sum of their numbers.
  private(set) var heldSum = RunSum()
  /// A new one after each change of ``held``.
  private(set) var heldRevision = 0
  /// The edits of all that the source made since the running request was sent. Its page doesn't know of them.
  var madeOfAll: [OfAll] = []
  /// What the unanswered removals of all remove, read or not.
  var removalsOfAll: [Int: Criteria] = [:]
  /// The items before a page came in this step, if there are edits of all.
  var itemsBeforePage: ItemList?

  /// Sends an edit, and returns the number of its request.
  mutating func send(_ edits: [ListEdit], _ asked: Any, ofAll: OfAll? = nil) -> Int {
    revision = UniqueNumber.next()
    if let ofAll { self.ofAll[UInt(revision)] = ofAll }
    requests[UInt(revision)] = Request(edits: edits, asked: asked)
    sum.add(revision)
    return revision
  }

  /// Sends an edit as the request with a number that it got before.
  mutating func send(_ edits: [ListEdit], _ asked: Any, as number: Int) {
    requests[UInt(number)] = Request(edits: edits, asked: asked)
    sum.add(number)
    revision = UniqueNumber.next()
  }

  /// Holds the parts of an edit back, and returns the numbers of their requests.
  mutating func hold(_ parts: [Held.Part], _ report: UndoableEdit) -> [Int] {
    let parts = parts.map { (number: UniqueNumber.next(), part: $0) }
    for (number, part) in parts { ofAll[UInt(number)] = part.ofAll }
    let last = parts[parts.count - 1].number
    held[UInt(last)] = Held(parts: parts, report: report)
    heldSum.add(last)
    heldRevision = last
    return parts.map(\.number)
  }

  /// Removes an edit from those that are held.
  mutating func removeHeld(_ key: UInt) {
    held[key] = nil
    heldSum.remove(Int(key))
    heldRevision = UniqueNumber.next()
  }

  /// Whether a request isn't answered. It may be held back, so that the source wasn't asked yet.
  func isUnanswered(_ number: UInt) -> Bool { requests[number] != nil || held[number] != nil }

  /// What the edit of a request does to the list, whether it is sent or held back.
  func edits(of number: UInt) -> [ListEdit] { requests[number]?.edits ?? held[number]?.parts.last?.part.edits ?? [] }

  /// Keeps an insertion whose request failed.
  mutating func keepFailed(_ number: Int, _ request: Request) { failed[UInt(number)] = request }

  /// Removes a failed insertion, to be sent again or dropped.
  mutating func removeFailed(_ number: UInt) { failed[number] = nil }

  /// Replaces what a failed insertion asks for when it is sent again.
  mutating func replaceFailed(_ number: UInt, _ asked: Any) {
    if let request = failed[number] { failed[number] = Request(edits: request.edits, asked: asked) }
  }

  /// Adds edits to a request that are a part of it.
  mutating func extend(_ number: UInt, by edits: [ListEdit]) {
    requests[number]?.edits += edits
    if var held = held[number] {
      held.parts[held.parts.count - 1].part.edits += edits
      self.held[number] = held
    }
  }

  /// Records that the source gave an item another id.
  mutating func rename(_ old: ItemID, to new: ItemID) { ids.rename(old, to: new) }

  /// Records that a new item has an id.
  mutating func insert(_ id: ItemID) { ids.forget(id) }

  /// Takes a request out that is answered. Returns its edits; nil if there is none.
  mutating func remove(_ number: Int) -> [ListEdit]? {
    guard let edits = requests[UInt(number)]?.edits else { return nil }
    (requests[UInt(number)], ofAll[UInt(number)]) = (nil, nil)
    sum.remove(number)
    revision = UniqueNumber.next()
    return edits
  }
}

extension ListCore {
  /// Whether the source makes edits of a kind.
  func makes(_ kind: EditKind) -> Bool { declaration.source.writes.contains(kind) }

  /// Clears the failure of an edit, as another edit follows.
  mutating func clearRefusal() { if loads.failures.clearRefusal() { loads.touch() } }

  /// Whether the source makes one edit of a kind for many items.
  func makesAtOnce(_ kind: EditKind) -> Bool { makes(kind) && makes(.marked) }

  /// Asks the source to make an edit, if it makes edits of this kind.
  mutating func make<Item>(_ edits: [ListEdit], _ asked: @autoclosure () -> Edit<Item>, _ kind: EditKind) {
    if edits.isEmpty { return }
    sendHeldEdits(before: edits)
    if makes(kind) { send(edits, asked()) } else { finish(edits, isMade: false) }
  }

  /// Asks the source to remove a listed item, or does so later if that can be undone.
  mutating func makeRemoval<Item>(of id: ItemID, _: Item.Type) {
    if dropInsertion(of: id) { return }
    guard let undoTime else { return make(remove([id]), Edit<Item>.remove(id), .remove) }
    hold([removal(of: [id], Item.self)], UndoableEdit([id], by: "remove", for: undoTime))
  }

  /// A removal that is held back.
  private mutating func removal<Item>(of ids: [ItemID], _: Item.Type) -> SentEdits.Held.Part {
    SentEdits.Held.Part(
      edits: remove(ids), asked: makes(.remove) ? { [id = ids[0]] in Edit<Item>.remove($0[id]) } : nil)
  }

  @discardableResult
  mutating func send<Item>(_ edits: [ListEdit], _ asked: Edit<Item>, ofAll: SentEdits.OfAll? = nil) -> Int {
    clearRefusal()
    return sent.send(edits, asked, ofAll: ofAll)
  }

  /// Receives the source's answer to an edit. A refused edit is undone.
  mutating func receive(_ answer: SentEdits.Answer) {
    let (ofAll, isMade) = (sent.ofAll[UInt(answer.number)], answer.result != nil)
    if let failure = answer.failure, !isMade, let request = sent.requests[UInt(answer.number)], keepsFailed(request) {
      _ = sent.remove(answer.number)
      sent.keepFailed(answer.number, request)
      return report(failure)
    }
    guard let edits = sent.remove(answer.number) else { return answer.failure.map { report($0) } ?? () }
    if let ofAll, isMade, loads.running != nil, !isFollowed { sent.madeOfAll.append(ofAll) }
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

  /// Removes all marked items. Throws if not all of them are read and the source makes no edits of many.
  mutating func removeMarked<Item>(_: Item.Type) throws(Refusal) {
    let rows = try markedRows(.remove)
    let ids = rows.map(\.itemID)
    guard makesAtOnce(.remove) else {
      // Removed one by one, each of them comes back by itself.
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

  /// Gives all marked items some members. Throws if not all of them are read and the source makes no edits of many.
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

  /// A change that is held back.
  private mutating func change(to row: ItemList.Item) -> SentEdits.Held.Part {
    SentEdits.Held.Part(
      edits: update([row]),
      asked: makes(.change) ? { Edit<RawJSON>.update(row.identified(by: $0[row.itemID]).json) } : nil)
  }

  /// Asks the source for an edit of many items, or does so later if that can be undone. Returns the number of the request.
  @discardableResult
  private mutating func sendMarked<Item>(
    _ edits: [ListEdit], _: Edit<Item>.Type, _ items: MarkedItems, count: Int?, set: RawJSON?
  ) -> Int {
    let ofAll = items.all.map { _ in SentEdits.OfAll(items: items, set: set) }
    guard let undoTime else {
      sendHeldEdits(before: edits, isOfAll: ofAll != nil)
      return send(edits, Edit<Item>.marked(items, set: set), ofAll: ofAll)
    }
    let input = set == nil ? "remove" : "change"
    let report =
      ofAll == nil
      ? UndoableEdit(items.ids, by: input, for: undoTime)
      : UndoableEdit(allBut: items.ids, count: count, by: input, for: undoTime)
    let part = SentEdits.Held.Part(
      edits: edits,
      asked: { ids in
        Edit<Item>.marked(MarkedItems(ids: items.ids.map { ids[$0] }, butOf: items.all, at: items.state), set: set)
      }, ofAll: ofAll)
    return hold([part], report).last ?? 0
  }

  /// How many items are marked; nil if nobody knows.
  var markedCount: Int? {
    guard let marks else { return 0 }
    if !marks.marked.isAll { return marks.ids.count }
    return isCounted ? max(0, shown.list.count - marks.ids.count) : nil
  }

  /// The marked items, as a source is asked; nil if there are none.
  private var markedItems: MarkedItems? {
    guard let marks else { return nil }
    if marks.marked.isAll { return MarkedItems(ids: marks.ids, butOf: criteria, at: rows.state) }
    return marks.ids.isEmpty ? nil : MarkedItems(ids: marks.ids)
  }

  /// The marked rows that are read.
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

  /// Carries edits of all items out on those that a page brought: the unanswered ones, and those that the source made after
  /// the page was requested.
  mutating func extendEditsOfAll(since before: ItemList) {
    for (number, edit) in sent.ofAll where edit.items.all == criteria {
      let known = Set(sent.edits(of: number).map(\.id))
      let more = carryOut(edit, onThoseNewSince: before, but: known)
      if more.isEmpty { continue }
      sent.extend(number, by: more)
      // The page may know of them: what the source reported of them may not have been heard.
      edits.markUncertain()
    }
    for edit in sent.madeOfAll where edit.items.all == criteria {
      finish(carryOut(edit, onThoseNewSince: before, but: []), isMade: true)
    }
    if loads.running == nil { sent.madeOfAll = [] }
  }

  /// Carries an edit of all items out on those that weren't listed before. Returns the edits of the single items.
  private mutating func carryOut(
    _ edit: SentEdits.OfAll, onThoseNewSince before: ItemList, but known: Set<ItemID>
  ) -> [ListEdit] {
    let exceptions = known.union(edit.items.ids).union(edit.items.ids.map { sent.ids[$0] })
    let new = ItemList.splices(from: before, to: items).flatMap { items.items(in: $0.items) }
      .filter { !exceptions.contains($0.itemID) && !edits.inserts($0.itemID) }
    if new.isEmpty { return [] }
    return edit.set.map { set in update(new.map { $0.merging(set) }) } ?? remove(new.map(\.itemID))
  }
}

extension ItemList.Item {
  /// The item with the members of an object in place of its own, and those that are new after them.
  fileprivate func merging(_ set: RawJSON) -> ItemList.Item {
    let merged = json.merging(set)
    if let name = idMember, let item = ItemList.Item(merged, id: name), item.itemID == itemID { return item }
    return ItemList.Item(Array(merged.bytes), id: Array(rawID))
  }
}
