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
  private struct Entry {
    let edit: ListEdit
    /// What was listed when it was made.
    var criteria = Criteria()
    /// What it puts in or makes of its item.
    var item: ItemList.Item?
    /// Whether the source has taken it, and all pages that come know of it.
    var isSettled = false
    /// Whether the source was asked, and has made it.
    var isMade = false
    /// Whether a page that holds the item undoes it: the source was never asked, or the page knows of it.
    var isOwn = false
    /// Whether the source has said what has become of the item since it was made.
    var isEchoed = false
    /// Whether it may have done so without being heard.
    var isUncertain = false

    /// Whether it is carried out on some of a source's items: what was put in belongs to those under which it was.
    func belongs(to criteria: Criteria) -> Bool {
      if case .insertion = edit.change { self.criteria == criteria } else { true }
    }
  }

  private var places = SlotOrder()
  /// The edits that are carried out.
  private var entries = NumberMap<Entry>()
  /// The edits that are not, until a first page comes that they belong to.
  private var waiting = NumberMap<Entry>()
  private var histories = ItemIDMap<EditHistory>()
  /// The insertions whose items were put first: at their time nothing stood before them.
  private var first = NumberMap<Void>()
  private var count = 0
  /// The version of the rows that the edits were carried out on last.
  private var base = 0
  /// Whether the slots hold the rows. Without edits they needn't: the rows are what is listed.
  private(set) var isLaid = false
  /// Whether they are to be carried out again, even on the same rows.
  private var isStale = true
  /// The edits that the source has made since the running load's page was requested: the page doesn't know of them. They
  /// are settled once it has come.
  private var taken = NumberMap<ListEdit>()

  /// An edit that is committed.
  struct Commit {
    let edit: ListEdit
    /// What it inserts or makes of its item.
    let item: ItemList.Item?
    /// Whether the source made it, rather than the list alone.
    let isMade: Bool
    /// Whether the source reported what became of the item since.
    let isEchoed: Bool
    /// Whether the source may have reported that without being heard.
    let isUncertain: Bool
  }

  /// What is listed.
  var items: ItemList { places.shown }
  /// How many of the items that are listed were put before all rows.
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
  /// Puts an item in before another, first where that is nil or isn't listed, or in the place of the one with its id.
  /// The edit is to be settled or refused; there is none where the item has no usable id.
  mutating func insert(_ item: ItemList.Item, before next: ItemID?, of criteria: Criteria) -> ListEdit? {
    ItemID(item.id).map { make(.insertion(item, before: next), of: $0, item, criteria) }
  }

  /// Takes an item out. There is no edit where it isn't listed.
  mutating func remove(_ id: ItemID) -> ListEdit? {
    items.contains(id) ? make(.removal, of: id, nil) : nil
  }

  /// Puts an item in the place of the one with its id. There is no edit where that isn't listed.
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
  mutating func replaceRow(_ item: ItemList.Item, in rows: SourceRows) {
    if isLaid { places.replaceShownRow(item) }
    adopt(rows)
  }

  /// Whether there are edits of an item.
  func edits(_ id: ItemID) -> Bool { !histories.isEmpty && histories[id]?.isEdited == true }

  /// The source has taken an edit, or there is none to ask. Pages that come from now on must have been asked for later.
  mutating func settle(_ edit: ListEdit, isMade: Bool = true) {
    let number = UInt(edit.number)
    waiting[number] = nil
    guard entries[number] != nil else { return }
    entries[number]?.isSettled = true
    entries[number]?.isMade = isMade
    // A page that holds the item says from now on what it is.
    if case .replacement = edit.change { entries[number]?.isOwn = true }
  }

  /// Settles edits: at once, or after the running load.
  mutating func settle(_ edits: [ListEdit], isMade: Bool, afterLoad: Bool) {
    for edit in edits {
      if afterLoad { taken[UInt(edit.number)] = edit } else { settle(edit, isMade: isMade) }
    }
  }

  /// Settles the edits that wait for the end of the running load.
  mutating func settleTaken() {
    while let (number, edit) = taken.first {
      taken[number] = nil
      settle(edit)
    }
  }

  /// The source has refused an edit.
  mutating func refuse(_ edit: ListEdit) {
    let number = UInt(edit.number)
    waiting[number] = nil
    guard entries[number] != nil else { return }
    entries[number] = nil
    revise(edit.id, after: number) { history in
      history.removals[number] = nil
      history.insertions[number] = nil
      history.contents[number] = nil
    }
    if case .insertion(_, let next) = edit.change { takePlace(of: edit, before: next) }
  }

  private mutating func make(
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
    if case .insertion(let item, let next) = entry.edit.change {
      // A page may have said since what the item is.
      makePlace(of: entry.edit, for: entry.item ?? item, before: next)
    }
    revise(entry.edit.id, after: number) { history in
      switch entry.edit.change {
      case .insertion:
        history.insertions[number] = ()
        history.contents[number] = ()
      case .replacement: history.contents[number] = ()
      case .removal: history.removals[number] = ()
      }
    }
  }

  // MARK: Commit

  /// Takes out the oldest edits, as far as they are settled: they are to become a part of the rows.
  ///
  /// - Parameter isInPlace: whether the slots are those of the rows as they are now, and are kept up with the commits.
  /// - Returns: the committed edits, the oldest first.
  mutating func commit(isInPlace: Bool) -> [Commit] {
    var commits: [Commit] = []
    while let (number, entry) = entries.first, entry.isSettled {
      entries[number] = nil
      if isInPlace { fold(entry, number) }
      isStale = true
      commits.append(
        Commit(
          edit: entry.edit, item: entry.item, isMade: entry.isMade, isEchoed: entry.isEchoed,
          isUncertain: entry.isUncertain))
    }
    if isInPlace, entries.isEmpty, !commits.isEmpty { places.join() }
    return commits
  }

  /// Whether the edits are carried out on rows as they are.
  func lie(on rows: SourceRows) -> Bool {
    !isStale && rows.version == base
  }

  /// Has the slots hold the rows, if they don't: before an edit, and before the rows are replaced and go on being listed.
  mutating func lay(on rows: SourceRows) {
    if isLaid { return }
    places.show(rows.listed.rows)
    isLaid = true
  }

  /// Records that the slots are those of rows which have changed as they did.
  mutating func adopt(_ rows: SourceRows) {
    base = rows.version
    isStale = false
  }

  /// Makes the oldest edit a part of the rows that the slots hold. Nothing changes in what is listed.
  private mutating func fold(_ entry: Entry, _ number: UInt) {
    let id = entry.edit.id
    var history = histories[id, default: EditHistory()]
    history.removals[number] = nil
    history.insertions[number] = nil
    history.contents[number] = nil
    if case .removal = entry.edit.change { places.remove(.row(id)) }
    histories[id] = history.isEmpty ? nil : history
    if let item = entry.item, !places.replaceRow(item), case .insertion = entry.edit.change {
      places.makeRow(ofInsertion: number, item)
    }
    if case .insertion(_, let next) = entry.edit.change { takePlace(of: entry.edit, before: next) }
  }
}

// MARK: - Rows of somebody else

extension PendingEdits {
  /// Carries the edits out on the rows as they are now. Costs O(1) if neither has changed.
  mutating func rebase(onto rows: SourceRows) {
    let isNeeded = !entries.isEmpty || !rows.removed.isEmpty
    if lie(on: rows), isLaid == isNeeded { return }
    adopt(rows)
    let entries = entries
    (first, histories) = (NumberMap(), ItemIDMap())
    isLaid = isNeeded
    guard isNeeded else { return places.removeAll() }
    places.show(rows.listed.rows)
    self.entries = NumberMap()
    for (_, entry) in entries where !(entry.isSettled && entry.isEchoed) { carryOut(entry) }
  }

  /// Something is looked for, or looked for again: edits that are settled are known to its first page, and what was put in
  /// under another query waits.
  mutating func start(of criteria: Criteria) {
    isStale = true
    let unsettled = takeUnsettled()
    for (number, entry) in unsettled {
      if entry.belongs(to: criteria) { entries[number] = entry } else { waiting[number] = entry }
    }
  }

  /// The source has said what has become of an item: where an edit of that is settled, that is what holds.
  mutating func hear(_ change: RowChange) {
    guard !histories.isEmpty, let history = histories[change.id] else { return }
    var numbers = history.contents.map(\.number)
    if case .remove = change {
      // It is said of the oldest removal of which nothing was said, and not of what was made after that.
      let removal = history.removals.map(\.number).first { entries[$0]?.isEchoed == false }
      numbers = numbers.filter { $0 < removal ?? .max } + (removal.map { [$0] } ?? [])
    }
    for number in numbers { entries[number]?.isEchoed = true }
    isStale = true
  }

  /// Not all was heard that the source has said: what it has said of the edits that aren't settled may be among that.
  mutating func markUncertain() {
    for (number, _) in entries { entries[number]?.isUncertain = true }
    for (number, _) in waiting { waiting[number]?.isUncertain = true }
  }

  /// A page has come that may have rows in other places because of edits that aren't settled.
  mutating func markMovesUncertain() {
    for (number, entry) in entries where !entry.edit.isReplacement { entries[number]?.isUncertain = true }
  }

  /// Whether an edit takes an item out that isn't settled.
  func removes(_ id: ItemID) -> Bool { histories[id].map { !$0.removals.isEmpty } ?? false }

  /// Whether an item is listed because an edit puts it in that isn't settled.
  func inserts(_ id: ItemID) -> Bool { histories[id].map { !$0.insertions.isEmpty } ?? false }
}

// MARK: - Pages

extension PendingEdits {
  /// Lets everything go but the edits that aren't settled.
  private mutating func takeUnsettled() -> [(number: UInt, value: Entry)] {
    if waiting.isEmpty, entries.isEmpty { return [] }
    let unsettled = (Array(waiting) + Array(entries)).filter { !$0.value.isSettled }.sorted { $0.number < $1.number }
    (entries, waiting) = (NumberMap(), NumberMap())
    return unsettled
  }

  /// Lets the rows go. Edits wait for a first page.
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

  /// What becomes of a page beside edits that the source has made.
  struct PageItems {
    /// The items that go to the rows.
    var items: RawItems
    /// Their positions in the page; nil if all of them do.
    var positions: [Int]?
    /// The positions in the page of items that came before in it and don't go to the rows.
    var repeated: [Int] = []
    /// What the rows are where the page says what the item of an edit is.
    var replacements: [ItemList.Item] = []

    /// Adds the repeated items among those that go to the rows.
    ///
    /// - Parameter among: their positions among these.
    /// - Returns: the positions in the page of all items whose id came before in it.
    func repeated(_ among: [Int]) -> [Int] {
      positions.map { positions in (among.map { positions[$0] } + repeated).sorted() } ?? among
    }
  }

  /// Takes those items out of a page that are known better: an item that the source has removed stays out, and the item of a
  /// settled edit becomes what the page says. Changes of the list's own are undone by a page that holds their item.
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

  /// Where an item of a page belongs.
  private enum PageSlot: Equatable {
    /// Nowhere: the source has removed it.
    case nowhere
    /// In an edit that the source has made.
    case edit(UInt)
    /// Among the rows.
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

  /// Undoes changes that the source was never asked for.
  private mutating func dropOwnChanges(of id: ItemID) {
    for (number, _) in histories[id]?.contents ?? NumberMap() where entries[number]?.isOwn == true {
      entries[number] = nil
      isStale = true
    }
  }
}

// MARK: - Places

extension PendingEdits {
  /// Changes what is known of an item, and lists it, and what was put before it, where that puts it. Nothing changes
  /// for the edits before the one that it is about.
  private mutating func revise(_ id: ItemID, after number: UInt, _ change: (inout EditHistory) -> Void) {
    let old = histories[id, default: EditHistory()]
    var new = old
    change(&new)
    histories[id] = new.isEmpty ? nil : new
    let isRow = places.contains(.row(id))
    show(id, in: new.place(of: id, isRow: isRow), insteadOf: old.place(of: id, isRow: isRow))
    moveAnchored(to: id, after: number, from: (old, isRow), to: (new, isRow))
  }

  /// Shows an item in a place, or nowhere, that is shown in another, or nowhere.
  private mutating func show(_ id: ItemID, in place: SlotOrder.Place?, insteadOf old: SlotOrder.Place?) {
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
  private mutating func makePlace(of edit: ListEdit, for item: ItemList.Item, before next: ItemID?) {
    let number = UInt(edit.number)
    let isListed = place(of: edit.id, before: number) != nil
    let position = position(of: number, before: next)
    places.insert(.insertion(number), of: edit.id, at: position, showing: isListed ? nil : item)
    if next.map({ place(of: $0, before: number) == nil }) ?? true { first[number] = () }
    if let next { histories[next, default: EditHistory()].anchored[number] = () }
  }

  /// Takes away the place of an insertion, in which nothing is shown any more.
  private mutating func takePlace(of edit: ListEdit, before next: ItemID?) {
    let number = UInt(edit.number)
    places.remove(.insertion(number))
    places.remove(.blockStart(number))
    first[number] = nil
    guard let next, var history = histories[next] else { return }
    history.anchored[number] = nil
    histories[next] = history.isEmpty ? nil : history
  }

  /// Where an item stands once the edits before one are carried out; nil if it isn't listed then.
  private func place(of id: ItemID, before number: UInt) -> SlotOrder.Place? {
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

extension RawItems {
  /// The items at some positions.
  fileprivate func items(at positions: [Int]) -> RawItems {
    RawItems(bytes: bytes, slices: positions.map { slices[$0] })
  }
}
