internal import ItemList

/// The edits that aren't a part of the source's rows yet, carried out on these.
///
/// What is listed is the rows with the edits carried out on them, in the order in which they were made. A refused edit is
/// undone as if it had never been made. Once the source has made an edit and all older ones, the edit is committed: it
/// becomes a part of the rows, which changes nothing that is listed.
///
/// An edit, its refusal and its commit cost O(log n), however many others there are, and what they move in the list. Other
/// changes of the rows have all edits carried out again.
struct PendingEdits {
  /// An edit that isn't a part of the rows.
  struct Entry {
    var edit: ListEdit
    /// Under which query and filters it was made.
    var criteria = Criteria()
    /// The item that it inserts or replaces its item with.
    var item: ItemList.Item?
    /// Whether the source made it, and pages that come know it.
    var isSettled = false
    /// Whether the source was asked to make it, and did.
    var isMade = false
    /// Whether a page that holds the item undoes it: the source was never asked, or the page knows of it.
    var isOwn = false
    /// Whether the source reported what became of the item since it was made.
    var isEchoed = false
    /// Whether such a report may have been missed.
    var isUncertain = false

    /// Whether it applies under a query and filters. An insertion applies only under its own.
    func belongs(to criteria: Criteria) -> Bool {
      if case .insertion = edit.change { self.criteria == criteria } else { true }
    }
  }

  var places = SlotOrder()
  /// The edits that are carried out on the rows.
  var entries = NumberMap<Entry>()
  /// The edits that wait for a first page under their own query and filters.
  var waiting = NumberMap<Entry>()
  var histories = ItemIDMap<EditHistory>()
  /// The insertions whose items were inserted before all rows.
  var first = NumberMap<Void>()
  private var count = 0
  /// The version of the rows that the edits were carried out on last.
  private var base = 0
  /// Whether the slots hold the rows. Without edits they needn't: the rows are what is listed.
  private(set) var isLaid = false
  /// Whether the edits must be carried out again, even on the same rows.
  var isStale = true
  /// Edits that were done after the running request was sent: by the source, or by the list alone. The page predates them, so
  /// they are settled after it.
  private var deferred = NumberMap<(edit: ListEdit, isMade: Bool)>()

  /// An edit that is committed.
  struct Commit {
    let edit: ListEdit
    /// The item that it inserts or replaces its item with.
    let item: ItemList.Item?
    /// Whether the source made it, rather than the list alone.
    let isMade: Bool
    /// Whether the source reported what became of the item since.
    let isEchoed: Bool
    /// Whether the source may have reported that without being heard.
    let isUncertain: Bool
    /// Under which query and filters an insertion was made; nil for other edits, which belong to any.
    let criteria: Criteria?
  }

  /// What is listed.
  var items: ItemList { places.shown }
  /// How many listed items were inserted before all rows.
  var firstCount: Int {
    first.first.flatMap { places.index(of: .insertion($0.number)) }.map { places.shownCount(before: $0 + 1) } ?? 0
  }
  /// Whether each slot is either shown or hidden.
  var slotsAreComplete: Bool { places.isComplete }
  /// Whether no edits lie on the rows.
  var isUnedited: Bool { entries.isEmpty }
}

// MARK: - Edits

extension PendingEdits {
  /// Inserts an item, or replaces the item with its id. The edit must be settled or refused. Returns nil if the item has no
  /// usable id.
  mutating func insert(_ item: ItemList.Item, _ place: InsertionPlace, of criteria: Criteria) -> ListEdit? {
    ItemID(item.id).map { make(.insertion(item, place), of: $0, item, criteria) }
  }

  /// Removes an item. Returns nil if it isn't listed.
  mutating func remove(_ id: ItemID) -> ListEdit? {
    items.contains(id) ? make(.removal, of: id, nil) : nil
  }

  /// Replaces the item with an id. Returns nil if that isn't listed.
  mutating func update(_ item: ItemList.Item) -> ListEdit? {
    guard let id = ItemID(item.id), items.contains(id) else { return nil }
    return make(.replacement, of: id, item)
  }

  /// Replaces a listed item, without asking the source: a page that holds the item says what it is.
  mutating func replace(_ item: ItemList.Item) {
    guard let id = ItemID(item.id), items.contains(id) else { return }
    if let last = histories[id]?.contents.last?.number, entries[last]?.isOwn == true {
      entries[last]?.item = item
      return places.update(item)
    }
    count += 1
    let edit = ListEdit(number: count, id: id, change: .replacement)
    carryOut(Entry(edit: edit, item: item, isSettled: true, isOwn: true))
  }

  /// A row without edits is replaced, in the rows that the slots hold as well.
  mutating func replaceRow(_ item: ItemList.Item, version: Int) {
    if isLaid { places.replaceShownRow(item) }
    adopt(version)
  }

  /// Whether there are edits of an item. Its id is read only if there are edits, because that allocates memory.
  func edits(_ item: ItemList.Item) -> Bool { !histories.isEmpty && histories[item.itemID]?.isEdited == true }

  /// Settles an edit: the source made it, or the list alone did. Pages that come from now on were requested later.
  private mutating func settle(_ edit: ListEdit, isMade: Bool) {
    let number = UInt(edit.number)
    waiting[number] = nil
    guard var entry = entries[number] else { return }
    entry.isSettled = true
    entry.isMade = isMade
    // A page that holds the item says from now on what it is.
    if case .replacement = edit.change { entry.isOwn = true }
    entries[number] = entry
  }

  /// Settles edits: at once, or after the running load.
  mutating func settle(_ edits: [ListEdit], isMade: Bool, afterLoad: Bool) {
    for edit in edits {
      if afterLoad { deferred[UInt(edit.number)] = (edit, isMade) } else { settle(edit, isMade: isMade) }
    }
  }

  /// Settles the edits that wait for the end of the running load.
  mutating func settleDeferred() {
    while let (number, (edit, isMade)) = deferred.first {
      deferred[number] = nil
      settle(edit, isMade: isMade)
    }
  }

  /// Undoes an edit that the source refused.
  mutating func refuse(_ edit: ListEdit) {
    let number = UInt(edit.number)
    waiting[number] = nil
    guard let edit = entries[number]?.edit else { return }
    entries[number] = nil
    revise(edit.id, after: number) { $0.remove(edit) }
    removeSlot(of: edit)
  }

  /// Makes an edit, and carries it out.
  mutating func make(
    _ change: ListEdit.Change, of id: ItemID, _ item: ItemList.Item?, _ criteria: Criteria = Criteria()
  ) -> ListEdit {
    count += 1
    let edit = ListEdit(number: count, id: id, change: change)
    carryOut(Entry(edit: edit, criteria: criteria, item: item))
    return edit
  }

  /// Carries out an edit that is newer than all that are carried out.
  private mutating func carryOut(_ entry: Entry) {
    let number = UInt(entry.edit.number)
    entries[number] = entry
    if case .insertion(let item, let place) = entry.edit.change {
      // A page may have said since what the item is.
      makeSlot(of: entry.edit, for: entry.item ?? item, place)
    }
    revise(entry.edit.id, after: number) { $0.add(entry.edit) }
  }

  // MARK: Commit

  /// Takes out the oldest edits, as far as they are settled: they are to become a part of the rows.
  ///
  /// - Parameters:
  ///   - isInPlace: whether the slots are those of the rows as they are now, and are kept up with the commits.
  ///   - isShared: whether the slots have the rows' own list, and get it again by ``adopt(_:sharing:)``.
  /// - Returns: the committed edits, the oldest first.
  mutating func commit(isInPlace: Bool, isShared: Bool) -> [Commit] {
    var commits: [Commit] = []
    while let (number, entry) = entries.first, entry.isSettled {
      entries[number] = nil
      if isInPlace { commitSlot(of: entry, number, isShared: isShared) }
      isStale = true
      commits.append(
        Commit(
          edit: entry.edit, item: entry.item, isMade: entry.isMade, isEchoed: entry.isEchoed,
          isUncertain: entry.isUncertain, criteria: entry.edit.isInsertion ? entry.criteria : nil))
    }
    if isInPlace, entries.isEmpty, !commits.isEmpty { places.join() }
    return commits
  }

  /// Whether the slots have a list of rows, without slots for insertions.
  func areShared(with rows: ItemList) -> Bool { isLaid && places.areShared(with: rows) }

  /// Whether the edits are carried out on a version of the rows.
  func lie(on version: Int) -> Bool { !isStale && version == base }

  /// Has the slots hold the rows: before an edit, and before the rows are replaced and go on being listed.
  mutating func lay(on rows: ItemList, version: Int) {
    places.show(rows)
    isLaid = true
    adopt(version)
  }

  /// Records that the slots are those of rows which have changed as they did.
  ///
  /// - Parameters:
  ///   - version: the version of the rows.
  ///   - rows: the rows, if the slots are to have their list.
  mutating func adopt(_ version: Int, sharing rows: ItemList? = nil) {
    (base, isStale) = (version, false)
    if let rows { places.share(rows) }
  }

  /// Makes the oldest edit a part of the rows that the slots hold. Nothing changes in what is listed.
  private mutating func commitSlot(of entry: Entry, _ number: UInt, isShared: Bool) {
    let id = entry.edit.id
    var history = histories[id, default: EditHistory()]
    history.remove(entry.edit)
    histories[id] = history.isEmpty ? nil : history
    if isShared {
      if case .removal = entry.edit.change { places.removeHidden(.row(id)) }
      return
    }
    if case .removal = entry.edit.change { places.remove(.row(id)) }
    if let item = entry.item, !places.replaceRow(item), case .insertion = entry.edit.change {
      places.makeRow(ofEdit: number, item)
    }
    removeSlot(of: entry.edit)
  }
}

// MARK: - Rebase

extension PendingEdits {
  /// Whether nothing need be carried out again on a version of the rows, some of which may be hidden.
  func isUpToDate(with version: Int, isHiding: Bool) -> Bool {
    if entries.isEmpty, !isHiding { return !isLaid }
    return isLaid && lie(on: version)
  }

  /// Carries the edits out on the rows as they are now.
  mutating func rebase(onto rows: SourceRows) {
    adopt(rows.version)
    let entries = entries
    (first, histories) = (NumberMap(), ItemIDMap())
    isLaid = !entries.isEmpty || !rows.removed.isEmpty
    guard isLaid else { return places.removeAll() }
    places.show(rows.listed.rows)
    self.entries = NumberMap()
    for (_, entry) in entries where !(entry.isSettled && entry.isEchoed) { carryOut(entry) }
  }

  /// Starts with a first page. It knows the settled edits. Insertions under another query wait.
  mutating func start(of criteria: Criteria) {
    isStale = true
    let unsettled = takeUnsettled()
    for (number, entry) in unsettled {
      if entry.belongs(to: criteria) { entries[number] = entry } else { waiting[number] = entry }
    }
  }

  /// Records that the source reported what became of an item. The report replaces settled edits of the item.
  mutating func recordEcho(_ change: RowChange) {
    for (number, entry) in waiting where entry.edit.id == change.id && !entry.edit.isRemoval {
      waiting[number]?.isEchoed = true
    }
    guard !histories.isEmpty, let history = histories[change.id] else { return }
    var numbers = history.contents.map(\.number)
    if case .remove = change {
      // It reports the oldest removal that wasn't reported, and no edit after that.
      let removal = history.removals.map(\.number).first { entries[$0]?.isEchoed == false }
      numbers = numbers.filter { $0 < removal ?? .max } + (removal.map { [$0] } ?? [])
    }
    for number in numbers { entries[number]?.isEchoed = true }
    isStale = true
  }

  /// Records that reports of the source were missed. Some may have been of unsettled edits.
  mutating func markUncertain() {
    for (number, _) in entries { entries[number]?.isUncertain = true }
    for (number, _) in waiting { waiting[number]?.isUncertain = true }
  }

  /// Records that a page came whose rows may have moved because of unsettled edits. Those that the list made alone moved none.
  mutating func markMovesUncertain() {
    for (number, entry) in entries where !entry.edit.isReplacement && deferred[number]?.isMade != false {
      entries[number]?.isUncertain = true
    }
  }

  /// Whether there are edits besides some that move rows and that the source hasn't answered.
  func moveRows(besides edits: [ListEdit]) -> Bool {
    let numbers = Set(edits.map(\.number))
    return entries.contains { number, entry in
      !entry.isSettled && !entry.edit.isReplacement && !numbers.contains(entry.edit.number)
    }
  }

  /// Whether there may be an older edit of an edit's item. Edits that wait for a first page count.
  func hasOlderEdit(_ edit: ListEdit) -> Bool {
    !waiting.isEmpty || histories[currentID(of: edit)]?.newestEdit(before: UInt(edit.number)) != nil
  }

  /// Whether an unsettled edit removes an item.
  func removes(_ id: ItemID) -> Bool { histories[id].map { !$0.removals.isEmpty } ?? false }

  /// Whether an unsettled edit inserts an item.
  func inserts(_ id: ItemID) -> Bool { histories[id].map { !$0.insertions.isEmpty } ?? false }
}

// MARK: - Pages

extension PendingEdits {
  /// Takes all edits out, and returns the unsettled ones.
  private mutating func takeUnsettled() -> [(number: UInt, value: Entry)] {
    if waiting.isEmpty, entries.isEmpty { return [] }
    let unsettled = (Array(waiting) + Array(entries)).filter { !$0.value.isSettled }.sorted { $0.number < $1.number }
    (entries, waiting) = (NumberMap(), NumberMap())
    return unsettled
  }

  /// Clears the rows. Edits wait for a first page.
  mutating func clear() {
    let unsettled = entries.filter { !$0.value.isSettled }
    let waiting = waiting
    removeAll()
    self.waiting = waiting
    for (number, entry) in unsettled { self.waiting[number] = entry }
  }

  private mutating func removeAll() {
    places.removeAll()
    isLaid = true
    (entries, waiting, first) = (NumberMap(), NumberMap(), NumberMap())
    histories = ItemIDMap()
    isStale = true
  }
}
