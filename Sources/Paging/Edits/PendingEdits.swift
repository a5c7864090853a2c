internal import ItemList

/// The pending edits, applied to the source's rows. What the list shows is ``items``: the rows after all edits, in the
/// order in which they were made.
///
/// The life of an edit:
///
/// 1. It is made and applied at once. If the source refuses it, it is undone as if it had never been made.
/// 2. It is *settled* once the source has made it, or the list alone. Pages requested from then on include it.
/// 3. It is *committed* once all older edits are settled too. It becomes part of the rows, and the listed items don't
///    change.
///
/// Making, undoing or committing an edit costs O(log n), plus the rows that it moves. The number of other edits doesn't
/// matter. If the rows change in any other way, all edits are applied again: see ``rebase(onto:)``.
struct PendingEdits {
  /// A pending edit.
  struct Entry {
    var edit: ListEdit
    /// The criteria under which the edit was made.
    var criteria = Criteria()
    /// The content that the edit gives its item; nil for a removal.
    var item: ItemList.Item?
    /// Whether the edit is settled: it is done, and pages that arrive from now on include it.
    var isSettled = false
    /// Whether the source made the edit, rather than the list alone.
    var isMade = false
    /// Whether a page that holds the item undoes the edit: because the edit wasn't sent to the source, or because the
    /// page includes it.
    var isOwn = false
    /// Whether the source has reported a change of the item since the edit was made.
    var isEchoed = false
    /// Whether such a report may have been missed.
    var isUncertain = false

    /// Whether the edit applies under some criteria. An insertion applies only under the criteria under which it was
    /// made.
    func belongs(to criteria: Criteria) -> Bool {
      if case .insertion = edit.change { self.criteria == criteria } else { true }
    }
  }

  var places = SlotOrder()
  /// The edits that are applied to the rows.
  var entries = NumberMap<Entry>()
  /// The edits that wait for a first page under their own criteria.
  var waiting = NumberMap<Entry>()
  var histories = ItemIDMap<EditHistory>()
  /// The insertions whose items were inserted before all rows.
  var first = NumberMap<Void>()
  private var count = 0
  /// The version of the rows that the edits are applied to.
  private var base = 0
  /// Whether the slots contain the rows. Without edits they needn't, because the listed items are the rows.
  private(set) var isApplied = false
  /// Whether the edits must be applied again, even if the rows haven't changed.
  var isStale = true
  /// Edits that were done while a load runs: by the source, or by the list alone. The load's page predates them, so
  /// they are settled after it.
  private var deferred = NumberMap<(edit: ListEdit, isMade: Bool)>()

  /// A committed edit.
  struct Commit {
    let edit: ListEdit
    /// The content that the edit gives its item; nil for a removal.
    let item: ItemList.Item?
    /// Whether the source made the edit, rather than the list alone.
    let isMade: Bool
    /// Whether the source has reported a change of the item since the edit was made.
    let isEchoed: Bool
    /// Whether such a report may have been missed.
    let isUncertain: Bool
    /// The criteria under which an insertion was made; nil for other edits, which apply under any criteria.
    let criteria: Criteria?
  }

  /// The listed items.
  var items: ItemList { places.shown }
  /// How many listed items were inserted before all rows.
  var firstCount: Int {
    first.first.flatMap { places.index(of: .insertion($0.number)) }.map { places.shownCount(before: $0 + 1) } ?? 0
  }
  /// Whether each slot is either shown or hidden.
  var slotsAreComplete: Bool { places.isComplete }
  /// Whether no edits are applied to the rows.
  var isUnedited: Bool { entries.isEmpty }
}

// MARK: - Edits

extension PendingEdits {
  /// Inserts an item, or replaces the item with the same id. The edit must be settled or refused later. Returns nil if
  /// the item has no usable id.
  mutating func insert(_ item: ItemList.Item, _ place: InsertionPlace, of criteria: Criteria) -> ListEdit? {
    ItemID(item.id).map { make(.insertion(item, place), of: $0, item, criteria) }
  }

  /// Removes an item. Returns nil if it isn't listed.
  mutating func remove(_ id: ItemID) -> ListEdit? {
    items.contains(id) ? make(.removal, of: id, nil) : nil
  }

  /// Replaces the item with the same id. Returns nil if it isn't listed.
  mutating func update(_ item: ItemList.Item) -> ListEdit? {
    guard let id = ItemID(item.id), items.contains(id) else { return nil }
    return make(.replacement, of: id, item)
  }

  /// Replaces a listed item, without a request to the source. A later page that holds the item replaces it again.
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

  /// Replaces a row without edits, also in the slots.
  mutating func replaceRow(_ item: ItemList.Item, version: Int) {
    if isApplied { places.replaceShownRow(item) }
    adopt(version)
  }

  /// Whether an item has edits. The id is read only if there are any edits, because reading it allocates memory.
  func edits(_ item: ItemList.Item) -> Bool { !histories.isEmpty && histories[item.itemID]?.isEdited == true }

  /// Marks an edit as settled: the source made it, or the list alone. Pages that come from now on were requested later
  /// and include it.
  private mutating func settle(_ edit: ListEdit, isMade: Bool) {
    let number = UInt(edit.number)
    waiting[number] = nil
    guard var entry = entries[number] else { return }
    entry.isSettled = true
    entry.isMade = isMade
    // From now on, a page that holds the item determines its content.
    if case .replacement = edit.change { entry.isOwn = true }
    entries[number] = entry
  }

  /// Settles edits: at once, or after the running load.
  mutating func settle(_ edits: [ListEdit], isMade: Bool, afterLoad: Bool) {
    for edit in edits {
      if afterLoad { deferred[UInt(edit.number)] = (edit, isMade) } else { settle(edit, isMade: isMade) }
    }
  }

  /// Settles the edits that waited for the end of the running load.
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

  /// Creates an edit and applies it.
  mutating func make(
    _ change: ListEdit.Change, of id: ItemID, _ item: ItemList.Item?, _ criteria: Criteria = Criteria()
  ) -> ListEdit {
    count += 1
    let edit = ListEdit(number: count, id: id, change: change)
    carryOut(Entry(edit: edit, criteria: criteria, item: item))
    return edit
  }

  /// Applies an edit, which must be newer than all applied edits.
  private mutating func carryOut(_ entry: Entry) {
    let number = UInt(entry.edit.number)
    entries[number] = entry
    if case .insertion(let item, let place) = entry.edit.change {
      // A page may have brought newer content for the item.
      makeSlot(of: entry.edit, for: entry.item ?? item, place)
    }
    revise(entry.edit.id, after: number) { $0.add(entry.edit) }
  }

  // MARK: Commit

  /// Removes the oldest edits, up to the first that isn't settled, so that they become part of the rows.
  ///
  /// - Parameters:
  ///   - isInPlace: whether the slots match the current rows. Then the commits change the slots too, and the other
  ///     edits needn't be applied again.
  ///   - isShared: whether the slots share the rows' own list, and receive it again through ``adopt(_:sharing:)``.
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

  /// Whether the slots share a list of rows, and have no slots for insertions.
  func areShared(with rows: ItemList) -> Bool { isApplied && places.areShared(with: rows) }

  /// Whether the edits are applied to a version of the rows.
  func areApplied(toVersion version: Int) -> Bool { !isStale && version == base }

  /// Fills the slots with the rows: before an edit is made, and before the rows are replaced while the old ones stay
  /// listed.
  mutating func apply(to rows: ItemList, version: Int) {
    places.show(rows)
    isApplied = true
    adopt(version)
  }

  /// Records that the slots match a new version of the rows, which changed as the slots did.
  ///
  /// - Parameters:
  ///   - version: the version of the rows.
  ///   - rows: the rows, if the slots share their list; nil otherwise.
  mutating func adopt(_ version: Int, sharing rows: ItemList? = nil) {
    (base, isStale) = (version, false)
    if let rows { places.share(rows) }
  }

  /// Makes the oldest edit part of the rows in the slots. The listed items don't change.
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
  /// Whether the edits are applied to a version of the rows, so that nothing must be done. `isHiding` means that some
  /// rows are hidden.
  func isUpToDate(with version: Int, isHiding: Bool) -> Bool {
    if entries.isEmpty, !isHiding { return !isApplied }
    return isApplied && areApplied(toVersion: version)
  }

  /// Applies all edits again, to the current rows.
  mutating func rebase(onto rows: SourceRows) {
    adopt(rows.version)
    let entries = entries
    (first, histories) = (NumberMap(), ItemIDMap())
    isApplied = !entries.isEmpty || !rows.removed.isEmpty
    guard isApplied else { return places.removeAll() }
    places.show(rows.listed.rows)
    self.entries = NumberMap()
    for (_, entry) in entries where !(entry.isSettled && entry.isEchoed) { carryOut(entry) }
  }

  /// Starts again with a first page. It includes the settled edits. Insertions under other criteria wait.
  mutating func start(of criteria: Criteria) {
    isStale = true
    let unsettled = takeUnsettled()
    for (number, entry) in unsettled {
      if entry.belongs(to: criteria) { entries[number] = entry } else { waiting[number] = entry }
    }
  }

  /// Records that the source reported a change of an item. The report replaces settled edits of the item.
  mutating func recordEcho(_ change: RowChange) {
    for (number, entry) in waiting where entry.edit.id == change.id && !entry.edit.isRemoval {
      waiting[number]?.isEchoed = true
    }
    guard !histories.isEmpty, let history = histories[change.id] else { return }
    var numbers = history.contents.map(\.number)
    if case .remove = change {
      // The removal is the oldest one that wasn't reported yet. Later edits aren't affected.
      let removal = history.removals.map(\.number).first { entries[$0]?.isEchoed == false }
      numbers = numbers.filter { $0 < removal ?? .max } + (removal.map { [$0] } ?? [])
    }
    for number in numbers { entries[number]?.isEchoed = true }
    isStale = true
  }

  /// Records that reports of the source were missed. Some of them may have been about these edits.
  mutating func markUncertain() {
    for (number, _) in entries { entries[number]?.isUncertain = true }
    for (number, _) in waiting { waiting[number]?.isUncertain = true }
  }

  /// Records that unsettled edits may have moved the rows of a page that came. Edits that the list made alone don't
  /// move the source's rows.
  mutating func markMovesUncertain() {
    for (number, entry) in entries where !entry.edit.isReplacement && deferred[number]?.isMade != false {
      entries[number]?.isUncertain = true
    }
  }

  /// Whether there are other unanswered edits that move rows.
  func moveRows(besides edits: [ListEdit]) -> Bool {
    let numbers = Set(edits.map(\.number))
    return entries.contains { number, entry in
      !entry.isSettled && !entry.edit.isReplacement && !numbers.contains(entry.edit.number)
    }
  }

  /// Whether there may be an older edit of the same item. Edits that wait for a first page count too.
  func hasOlderEdit(_ edit: ListEdit) -> Bool {
    !waiting.isEmpty || histories[currentID(of: edit)]?.newestEdit(before: UInt(edit.number)) != nil
  }

  /// Whether a pending edit removes an item.
  func removes(_ id: ItemID) -> Bool { histories[id].map { !$0.removals.isEmpty } ?? false }

  /// Whether a pending edit inserts an item.
  func inserts(_ id: ItemID) -> Bool { histories[id].map { !$0.insertions.isEmpty } ?? false }
}

// MARK: - Pages

extension PendingEdits {
  /// Removes all edits, and returns the unsettled ones.
  private mutating func takeUnsettled() -> [(number: UInt, value: Entry)] {
    if waiting.isEmpty, entries.isEmpty { return [] }
    let unsettled = (Array(waiting) + Array(entries)).filter { !$0.value.isSettled }.sorted { $0.number < $1.number }
    (entries, waiting) = (NumberMap(), NumberMap())
    return unsettled
  }

  /// Removes the rows. Unsettled edits wait for a first page.
  mutating func clear() {
    let unsettled = entries.filter { !$0.value.isSettled }
    let waiting = waiting
    removeAll()
    self.waiting = waiting
    for (number, entry) in unsettled { self.waiting[number] = entry }
  }

  private mutating func removeAll() {
    places.removeAll()
    isApplied = true
    (entries, waiting, first) = (NumberMap(), NumberMap(), NumberMap())
    histories = ItemIDMap()
    isStale = true
  }
}
