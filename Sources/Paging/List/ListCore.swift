internal import Flow
internal import ItemList
internal import WireJSON

/// The whole data of a list, independent of the type of its items.
///
/// A step first changes properties of this structure. Then ``settle()`` derives everything that depends on them, once.
/// The mutating methods derive nothing themselves.
///
/// A list consists of three layers:
///
/// - `rows`: the source's rows. Some are loaded; between them, unloaded rows are only counted.
/// - `arrivals`: deferred rows, which the source has before the first row.
/// - `edits`: the user's pending edits, applied on top of the rows. Each insertion has a slot between two rows, and
///   each removal hides a row.
///
/// A client sees the part of the result that is inside its window.
///
/// Some words in the names of this module:
///
/// - *held*: of rows, those that a client holds in its window; of edits, those that the user can still undo and that
///   aren't sent yet.
/// - *followed*: of a list, that it watches its source.
///
/// Invariants:
///
/// - A running load uses the current ``criteria``, unless these changed before anything was loaded.
/// - Evicted rows are unloaded rows. Rows are evicted only outside the window, and only without pending edits.
/// - Every removal of all items (``SentEdits/removalsOfAll``) belongs to an unanswered edit.
struct ListCore {
  let declaration: ListDeclaration
  /// Which of the source's items are listed, or will be once their first page loads.
  var criteria: Criteria
  var loads = Loads()
  /// The source's rows, and the log that combines its reported changes with its pages.
  var rows: ChangeLog
  /// The pending edits, applied on top of the rows.
  var edits = PendingEdits()
  var sent = SentEdits()
  /// The window through which a client sees the list; nil if it sees the whole list.
  var window: ListWindow?
  /// The marked items; nil if the list has no marks.
  var marks: ListMarks?
  var watched = WatchedCriteria()
  var sight = RowsInSight()
  /// The number of the source's items; nil if unknown.
  var total: Int?
  /// How many items were removed by edits.
  var removals = 0

  init(_ declaration: ListDeclaration, _ criteria: Criteria) {
    self.declaration = declaration
    self.criteria = criteria
    let (options, source) = (declaration.options, declaration.source)
    let rowOptions = SourceRows.Options(
      order: source.order, reloads: options.onRefresh == .revalidate, evicts: declaration.margin != nil)
    rows = ChangeLog(rowOptions, isPositioned: declaration.margin != nil && source.positions)
    window = declaration.margin.map { ListWindow(margin: $0, mostItems: options.mostItems) }
    marks = options.hasMarks ? ListMarks(criteria) : nil
  }
}

/// The rows that the client last reported to be in sight.
struct RowsInSight {
  /// The first and the last loaded row in sight; nil if none is loaded.
  var ends: (first: ItemID, last: ItemID)?
  /// Whether the list's first row is in sight.
  var areAtTop = true
}

// MARK: - Derived properties

extension ListCore {
  /// The listed rows: the source's rows with the edits applied.
  var items: ItemList { edits.isApplied ? edits.items : rows.shown.all.rows }
  var arrivals: Int { rows.shown.arrivalCount }
  var hasMore: Bool { loads.keys.next != nil || isAfterUnloaded || isOpen }
  var hasPrevious: Bool { loads.keys.previous != nil }
  var isWithoutResult: Bool {
    items.isEmpty && (loads.phase == .requestFinished || loads.phase == .reachedBottom)
  }

  /// The rows that a client receives.
  var shown: ListSnapshot { window?.published ?? ListSnapshot(items) }

  /// Whether the source gives the positions of its pages.
  var isPositioned: Bool { rows.isPositioned }

  /// Whether rows follow the last loaded row.
  private var isAfterUnloaded: Bool { rows.shown.all.isAfterUnloaded(rows.shown.all.rows.count) }

  /// Whether more rows may follow than the total, because it is an estimate.
  private var isOpen: Bool { isPositioned && rows.hasPage && window?.isTotalExact == false }

  /// Whether all rows are loaded.
  var isComplete: Bool { areEndsKnown && !isOpen && window?.list.unloadedCount ?? 0 == 0 }

  /// Whether the list knows that no pages are beyond both ends.
  private var areEndsKnown: Bool {
    let isFirstMissing = loads.running?.origin.isFirst == true || loads.failed?.origin.isFirst == true
    return rows.hasPage && !loads.hasKeys && !(isFirstMissing && rows.shown.options.keepsPlaces)
  }

  /// Whether the number of rows is known.
  var isCounted: Bool {
    if isPositioned, total != nil, window?.isTotalExact == true, rows.hasPage { return true }
    return rows.shown.pageTable.map { areEndsKnown && $0.isSure } ?? isComplete
  }

  /// Whether the list watches its source.
  var isFollowed: Bool { rows.shown.options.isFollowed }

  /// Whether the source reports the user's own edits like other changes.
  var sourceEchoesEdits: Bool { isFollowed && !rows.watch.isRefused }

  /// How many more rows the list has before a position than the source has there, because of edits. It can be negative.
  func editedRows(before position: Int) -> Int {
    guard let list = window?.list else { return 0 }
    let rows = rows.shown
    let row = list.rows(in: 0..<position).upperBound
    return ItemList.splices(from: rows.all.rows, to: list.rows).reduce(-rows.uncounted(before: row)) { sum, splice in
      splice.start < row ? sum + splice.items.count - splice.deleteCount : sum
    }
  }

  /// The source's positions of adjacent unloaded rows of the list.
  func sourcePositions(ofUnloaded rows: Range<Int>) -> Range<Int> {
    let start = sourcePosition(of: rows.lowerBound)
    return start..<max(start, sourcePosition(of: max(rows.lowerBound, rows.upperBound - 1))) + 1
  }

  /// The source's positions of the rows that a window holds; one position if it holds none.
  func sourcePositions(ofHeld window: ListWindow) -> Range<Int> {
    let start = sourcePosition(of: window.held.lowerBound)
    return start..<start + max(1, window.held.count)
  }

  /// The source's position of a row of the list.
  func sourcePosition(of position: Int) -> Int {
    guard let list = window?.list, position < list.count, list.row(at: position) == nil else {
      return max(0, position - editedRows(before: position))
    }
    // Edits don't change unloaded rows, so an unloaded row has the same number among all unloaded rows in both lists.
    let (rows, number) = (rows.shown, position - list.rows(in: 0..<position).upperBound)
    guard let unloaded = rows.all.position(ofUnloaded: number) else { return position }
    return max(0, unloaded + rows.uncounted(before: rows.all.rows(in: 0..<unloaded).upperBound))
  }
}

extension Loads {
  var hasKeys: Bool { keys.next != nil || keys.previous != nil }
}

// MARK: - Loads

extension ListCore {
  /// Begins the load that a trigger requests in the current situation, if there is one.
  mutating func load(_ trigger: LoadTrigger, isNamed: Bool) {
    let reloads = declaration.options.onRefresh == .revalidate && rows.hasPage
    guard let origin = loads.origin(for: trigger, reloads: reloads) else { return }
    begin(makeLoad(trigger, origin, isNamed: isNamed))
  }

  /// Changes the criteria and loads their first page. Does nothing if the criteria are the same. With `ifLoaded`,
  /// nothing is loaded if no load has begun yet.
  mutating func ask(for criteria: Criteria, _ trigger: LoadTrigger, ifLoaded: Bool, isNamed: Bool) {
    guard criteria != self.criteria else { return }
    self.criteria = criteria
    window?.forgetViewport()
    if !ifLoaded || loads.phase != .nothing { begin(makeLoad(trigger, .first, isNamed: isNamed)) }
  }

  func loadTrigger(forVisibleRows rows: Range<Int>, prefetch: Int) -> LoadTrigger? {
    guard window == nil, loads.running == nil, loads.failed == nil else { return nil }
    if loads.keys.next != nil, min(rows.upperBound, items.count) >= items.count - prefetch { return .loadMore }
    return loads.keys.previous != nil && rows.lowerBound <= prefetch ? .reachTop : nil
  }

  func makeLoad(_ trigger: LoadTrigger, _ origin: PageOrigin, isNamed: Bool = true, size: Int? = nil) -> Load {
    Load(
      trigger: trigger, isNamed: isNamed, origin: origin, criteria: criteria, size: size ?? declaration.options.pageSize
    )
  }

  /// Begins a load, and drops the running one.
  mutating func begin(_ load: consuming Load) {
    endRunningLoad()
    sent.confirmedEditsOfAll = []
    load.origin = prepareRows(for: load)
    let isClearing = load.origin.isFirst && declaration.options.onRefresh == .clear && load.trigger != .jump
    loads.begin(load)
    guard isClearing else { return }
    edits.clear()
    rows.clear()
    (loads.keys, loads.openPage) = ((nil, nil), nil)
  }

  /// Ends the running load, if there is one.
  mutating func endRunningLoad() {
    loads.end()
    rows.end()
    settleDeferredEdits()
  }

  /// Records a report about the running load: its progress, or a new attempt.
  mutating func record(_ report: RunReport, of number: Int) {
    guard number == loads.running?.number else { return }
    switch report {
    case .retried:
      loads.report(nil)
      sent.confirmedEditsOfAll = []
      settleDeferredEdits()
    case .progress(let progress): loads.report(progress)
    }
  }

  /// Settles the edits that waited for the end of the load. Pages requested from now on include them.
  private mutating func settleDeferredEdits() {
    edits.settleDeferred()
    commitEdits()
  }

  /// Why a page isn't the one that was requested by a position or an item; nil if it is.
  func mismatch<Item>(in page: Page<Item>) -> String? {
    switch loads.running?.origin {
    case .at(let asked), .reload(_, _, at: .some(let asked)):
      if page.position == asked || page.isEmpty && page.position != nil { return nil }
      return page.position.map { "begins at the position \($0), but was requested from \(asked) on" }
        ?? "has no position"
    case .around(let id, _):
      return (0..<page.items.count).contains { page.items.id(at: $0) == id } ? nil : "doesn't have the item \(id)"
    default: return nil
    }
  }

  /// Records the failure of a load, or of some records of its page. A load that was given up has no failure, and clears
  /// none.
  mutating func fail(_ failure: Failure?, of number: Int) {
    let newest = loads.newest
    if let load = loads.running, load.number == number {
      endRunningLoad()
      loads.fail(load)
      endFailedLoad(load)
    } else {
      loads.touch()
    }
    guard var failure else { return }
    if newest.isNamed { failure.trigger = newest.trigger.rawValue }
    loads.failures.set(failure)
  }
}

// MARK: - Edits

extension ListCore {
  /// Prepares the edits to work on the current rows.
  mutating func applyEdits() {
    if !edits.isApplied { edits.apply(to: rows.shown.listed.rows, version: rows.shown.version) }
  }

  mutating func insert(_ item: ItemList.Item, _ place: InsertionPlace) -> [ListEdit] {
    applyEdits()
    sent.insert(item.itemID)
    return edits.insert(item, place, of: criteria).map { [$0] } ?? []
  }

  mutating func remove(_ ids: [ItemID]) -> [ListEdit] {
    applyEdits()
    let removed = ids.compactMap { edits.remove($0) }
    removals += removed.count
    return removed
  }

  mutating func update(_ items: [ItemList.Item]) -> [ListEdit] {
    applyEdits()
    return items.compactMap { edits.update($0) }
  }

  /// Replaces a listed item, without a request to the source. A later page that has the item replaces it again.
  mutating func replace(_ item: ItemList.Item) {
    window?.keep(item.itemID)
    if rows.shown.options.keepsPlaces, !edits.edits(item) {
      let isInPlace = edits.areApplied(toVersion: rows.shown.version)
      rows.replace(item)
      if isInPlace { edits.replaceRow(item, version: rows.shown.version) }
    } else {
      applyEdits()
      edits.replace(item)
      commitEdits()
    }
  }

  /// Adds items at the end, or replaces those with the same ids. The source has them already.
  mutating func append(_ items: RawItems) {
    if rows.shown.options.keepsPlaces { return rows.append(withoutKnown(items).items) }
    apply(items.slices.indices.map { .insert(ItemList.Item(items, at: $0), .end, position: nil) }, state: nil)
  }

  /// Returns a page without the items of which the list has newer content.
  mutating func withoutKnown(_ items: RawItems) -> PendingEdits.PageItems {
    let isUnknown = rows.shown.gone.isEmpty && edits.isUnedited
    if isUnknown || !rows.shown.options.keepsPlaces { return PendingEdits.PageItems(items: items) }
    let known = edits.receive(items, isGone: rows.shown.gone.contains)
    for item in known.replacements { rows.replace(item) }
    return known
  }

  /// Records that edits are done: by the source, or by the list alone.
  mutating func finish(_ edits: [ListEdit], isMade: Bool) {
    if isMade, !sourceEchoesEdits, case .at? = loads.running?.origin, edits.contains(where: { !$0.isReplacement }),
      !self.edits.moveRows(besides: edits)
    {
      // The requested page may contain the edit or not, which would shift its rows. So the page is requested again.
      endRunningLoad()
    }
    marks?.forget(edits.lazy.filter(\.isRemoval).map { [edits = self.edits] in edits.currentID(of: $0) })
    self.edits.settle(edits, isMade: isMade, afterLoad: loads.running != nil && !isFollowed)
    commitEdits()
  }

  mutating func refuse(_ edits: [ListEdit], _ failure: Failure?) {
    for edit in edits { self.edits.refuse(edit) }
    commitEdits()
    if let failure { report(failure) }
  }

  /// Makes the settled edits part of the rows, the oldest first.
  private mutating func commitEdits() {
    if edits.isUnedited { return }
    let isInPlace = rows.shown.options.keepsPlaces && edits.areApplied(toVersion: rows.shown.version)
    let isShared = isInPlace && edits.areShared(with: rows.shown.all.rows)
    let commits = edits.commit(isInPlace: isInPlace, isShared: isShared)
    if commits.isEmpty { return }
    loads.isReloadHeld = false
    for commit in commits where !commit.isEchoed {
      // In a watched list, the rows belong to the new criteria already, although the old ones stay listed until the
      // first page comes.
      if isFollowed, let made = commit.criteria, made != criteria { continue }
      let isLast = commit.isMade && !sourceEchoesEdits
      // The requested page may contain the edit already.
      let isShifted = isLast && isPositioned && loads.running != nil && !commit.edit.isReplacement
      rows.commit(
        commit.edit, commit.item, isUncertain: commit.isUncertain || isShifted, isLast: isLast, isOwn: !commit.isMade)
    }
    if isInPlace { edits.adopt(rows.shown.version, sharing: isShared ? rows.shown.all.rows : nil) }
  }

  /// Handles the source's answer to a removal of all matching items. If some of these rows are unloaded, a reload finds
  /// out what remains.
  mutating func endRemovalOfAll(_ number: Int, isRefused: Bool) {
    guard let criteria = sent.removalsOfAll.removeValue(forKey: number) else { return }
    guard !isRefused, criteria == self.criteria, rows.shown.all.unloadedCount > 0 else { return }
    loads.isReloadHeld = false
    rows.forgetUnloaded()
  }
}

// MARK: - Viewport and window

extension ListCore {
  /// Records the rows in sight. Their positions may refer to an earlier version of the window.
  mutating func setViewport(_ rows: Range<Int>, at revision: Int? = nil) {
    // Clients may send any numbers. This limit keeps sums from overflowing.
    var rows = rows.clamped(to: 0..<RawJSON.quantities.upperBound)
    if let revision { rows = window?.positions(of: rows, at: revision) ?? rows }
    sight.areAtTop = rows.lowerBound == 0
    window?.show(rows)
    let list = window?.list ?? SparseList(items)
    let read = list.rows(in: window?.held ?? rows)
    sight.ends = read.isEmpty ? nil : (list.rows[read.lowerBound].itemID, list.rows[read.upperBound - 1].itemID)
    if sight.areAtTop, declaration.options.onArrival == .defer { showArrivals() }
  }

  /// Lists the deferred rows. Returns whether there were any.
  @discardableResult
  mutating func showArrivals() -> Bool {
    guard arrivals > 0 else { return false }
    rows.showArrivals()
    return true
  }

  /// Moves the window to a row. Returns false if the row doesn't exist.
  mutating func jump(to index: Int) -> Bool {
    guard let count = window?.list.count, 0..<count ~= index else { return false }
    window?.jump(to: index, count: declaration.options.pageSize)
    return true
  }

  /// Moves the window to an item. Returns false if the item is neither loaded nor can be requested by its id.
  mutating func jump(to id: ItemID) -> Bool {
    let id = currentID(of: id)
    if let index = window?.list.position(of: id) { return jump(to: index) }
    guard window != nil, declaration.source.around, rows.hasPage else { return false }
    window?.awaited = id
    begin(makeLoad(.jump, .around(id, isFirst: !isPositioned)))
    return true
  }

  /// Keeps a row loaded for a pager that shows it; nil ends that.
  mutating func show(_ row: ShownRow?, for owner: AnyObject) { window?.show(row, for: owner) }
}

extension RawItems {
  /// The id of an item, spelled as in its page.
  func idText(at position: Int) -> String {
    String(decoding: bytes[slices[position].idRange], as: UTF8.self)
  }
}

extension LoadFailure {
  /// The failure of a page in which two items have the same id.
  init(repeated id: String) {
    self.init(
      .badRecord, "two items of one page have the id \(id); the later one is listed; give each item a unique id")
  }
}
