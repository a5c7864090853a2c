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
  private(set) var ofAll = NumberMap<OfAll>()
  /// The edits of all that the source made since the running request was sent. Its page doesn't know of them.
  var madeOfAll: [OfAll] = []
  /// What the unanswered removals of all remove, read or not.
  var removalsOfAll: [Int: Criteria] = [:]
  /// The items before a page came in this step, if there are edits of all.
  var itemsBeforePage: ItemList?

  /// Sends an edit, and returns the number of its request.
  mutating func send(_ edits: [ListEdit], _ asked: Any, ofAll: OfAll? = nil) -> Int {
    revision = UniqueNumber.next()
    requests[UInt(revision)] = Request(edits: edits, asked: asked)
    if let ofAll { self.ofAll[UInt(revision)] = ofAll }
    sum.add(revision)
    return revision
  }

  /// Adds edits to a request that are a part of it.
  mutating func extend(_ number: UInt, by edits: [ListEdit]) { requests[number]?.edits += edits }

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

  /// Whether the source makes one edit of a kind for many items.
  func makesAtOnce(_ kind: EditKind) -> Bool { makes(kind) && makes(.marked) }

  /// Asks the source to make an edit, if it makes edits of this kind.
  mutating func make<Item>(_ edits: [ListEdit], _ asked: @autoclosure () -> Edit<Item>, _ kind: EditKind) {
    if edits.isEmpty { return }
    if makes(kind) { send(edits, asked()) } else { finish(edits, isMade: false) }
  }

  @discardableResult
  mutating func send<Item>(_ edits: [ListEdit], _ asked: Edit<Item>, ofAll: SentEdits.OfAll? = nil) -> Int {
    if loads.failures.clearRefusal() { loads.touch() }
    return sent.send(edits, asked, ofAll: ofAll)
  }

  /// Receives the source's answer to an edit. A refused edit is undone.
  mutating func receive(_ answer: SentEdits.Answer) {
    let (ofAll, isMade) = (sent.ofAll[UInt(answer.number)], answer.result != nil)
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
      guard makes(.remove) else { return finish(remove(ids), isMade: false) }
      for id in ids { make(remove([id]), Edit<Item>.remove(id), .remove) }
      return
    }
    guard let items = markedItems else { return }
    let ofAll = items.all.map { _ in SentEdits.OfAll(items: items, set: nil) }
    let number = send(remove(ids), Edit<Item>.marked(items, set: nil), ofAll: ofAll)
    marks?.takeAll(items.ids, for: number)
    if items.all != nil { sent.removalsOfAll[number] = criteria }
  }

  /// Gives all marked items some members. Throws if not all of them are read and the source makes no edits of many.
  mutating func changeMarked(_ set: RawJSON) throws(Refusal) {
    let rows = try markedRows(.change).map { $0.merging(set) }
    guard makesAtOnce(.change) else {
      guard makes(.change) else { return rows.forEach { replace($0) } }
      for row in rows { make(update([row]), Edit<RawJSON>.update(row.json), .change) }
      return
    }
    guard let items = markedItems else { return }
    let ofAll = items.all.map { _ in SentEdits.OfAll(items: items, set: set) }
    send(update(rows), Edit<RawJSON>.marked(items, set: set), ofAll: ofAll)
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
      mustBe: "left out until all that is marked is read, as the source has no \"marked\" among its \"writes\"")
  }

  /// Carries edits of all items out on those that a page brought: the unanswered ones, and those that the source made after
  /// the page was requested.
  mutating func extendEditsOfAll(since before: ItemList) {
    for (number, edit) in sent.ofAll where edit.items.all == criteria {
      let known = Set((sent.requests[number]?.edits ?? []).map(\.id))
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
