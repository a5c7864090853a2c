internal import Flow
internal import ItemList
internal import WireJSON

/// The rows of a source, the state they are at, and how changes and pages meet in them.
///
/// While a load runs, changes are applied at once and recorded. Its page is merged into the rows as they were at the page's
/// state; the changes since then are applied again.
struct ChangeLog {
  /// How a page was received.
  struct ReceivedPage {
    /// The positions in the page of items whose id came before in it.
    var repeated: [Int] = []
    /// Whether no change is newer than the page.
    var isNewest = true
    /// Whether it knows changes that won't be reported any more.
    var isAhead = false
    /// Whether it can't be merged, and must be requested again.
    var isToBeAskedAgain = false
  }

  /// What lies beneath the edits: the rows, with pages of states that they haven't reached.
  private(set) var shown: SourceRows
  /// The rows at ``state`` while they aren't what is shown: there are pages of later states, or the list reloads. In a box,
  /// because most lists have none, and ``changeRows(_:)`` moves it.
  private var beneath: CopyOnWrite<SourceRows>?
  /// The rows at ``state``.
  var rows: SourceRows { beneath?.value ?? shown }
  /// The state that the rows are at; nil where none is known.
  private(set) var state: String?
  /// The request to report changes.
  var watch = Watch()
  /// The changes that wait, and the pauses they wait for.
  var queue = ChangeQueue()
  /// Whether a page without a state has come since a change followed what is held: which of the changes it knows that an
  /// answer reports can't be told.
  private var hasPageOfUnknownState = false
  /// Whether the list is to reload where the user is.
  var isInvalid = false
  /// What has happened since the running load began.
  var log = LoadLog()
  /// Pages of states that the rows haven't reached.
  private var futurePages: [FuturePage] = []
  /// How the list reloads, if it does.
  var reload: Reload?

  /// Rows of which nothing is read.
  init(_ options: SourceRows.Options, isPositioned: Bool = false) {
    shown = SourceRows(options, isPositioned: isPositioned)
  }

  /// Changes the rows at ``state`` where they lie. An accessor of ``rows`` would allocate memory each time.
  @inline(__always)
  private mutating func changeRows<Result>(_ change: (inout SourceRows) -> Result) -> Result {
    guard var rows = beneath else { return change(&shown) }
    beneath = nil
    defer { beneath = rows }
    return change(&rows.value)
  }

  var hasPage: Bool { beneath?.value.hasPage ?? shown.hasPage }
  /// Whether the source gave the position of its first page.
  var isPositioned: Bool { beneath?.value.isPositioned ?? shown.isPositioned }
  /// The rows that the source removed at the user's request and hasn't reported as removed.
  var awaitedRemovals: Set<ItemID> { beneath?.value.removed ?? shown.removed }

  // MARK: - What is asked

  /// The source is to report its changes.
  mutating func follow() {
    shown.follow()
    beneath?.value.follow()
  }

  /// Requests a watch without a state. A first page is loading; which changes the rows missed before it is unknown.
  mutating func askAnew() {
    (state, isInvalid) = (nil, hasPage)
    watch.ask(since: nil)
  }

  /// Drops all rows for other criteria, with their own order.
  mutating func restart(order: [RowOrder]) {
    let limit = log.limit
    var options = shown.options
    options.order = order
    self = ChangeLog(options, isPositioned: isPositioned)
    log.limit = limit
    watch.ask(since: nil)
  }

  /// Drops the rows before a first page comes.
  mutating func clear() {
    shown = SourceRows(shown.options, isPositioned: isPositioned)
    (beneath, futurePages) = (nil, [])
  }

  /// A load begins. Only what a source reports may have happened before its page was read.
  mutating func begin() {
    if !shown.options.isFollowed { return }
    log.begin(rows)
    if let state { record(.state(state)) }
  }

  /// Records what happens while a load runs.
  private mutating func record(_ entry: LogEntry) {
    log.record(entry)
    guard log.isTooLong else { return }
    log.begin(rows, after: [.reset, .gap])
    isInvalid = true
  }

  /// The load is over.
  mutating func end() { log.end() }

  private var isReloadingApart: Bool { reload?.isApart ?? false }

  // MARK: - What the source says

  /// The first thing that a source says when it was asked how it changes. Gives the changes that are to be carried out.
  mutating func answer<Item>(_ changes: SourceChanges<Item>) -> SourceChanges<Item>? {
    watch.confirm()
    if watch.isFailing || watch.isInterrupted {
      // Nobody knows what has happened meanwhile.
      (watch.isFailing, watch.isInterrupted, state) = (false, false, nil)
      invalidate()
    }
    guard let since = watch.since else {
      if let state {
        // A page has come before, and what has happened since then isn't known.
        if let held = changes.state, held != state { watch.ask(since: state) }
      } else if let held = changes.state {
        reach(held)
      }
      return nil
    }
    guard since == state else {
      watch.ask(since: state)
      return nil
    }
    if hasPageOfUnknownState, changes.rows.contains(where: \.isAnchored) { isInvalid = true }
    if let state = changes.state, state != since {
      if !futurePages.contains(where: { $0.state == state }) { giveUpFuturePages() }
      record(.gap)
    }
    return changes
  }

  /// Whether changes follow what is held. If not, the source is asked what is missing.
  mutating func follows<Item>(_ changes: SourceChanges<Item>) -> Bool {
    guard watch.isConfirmed else { return false }
    guard let since = changes.since, let state, since != state else {
      hasPageOfUnknownState = false
      return true
    }
    watch.ask(since: state)
    return false
  }

  /// The source has stopped telling: it can't tell what has happened since the state that is held, may tell when it is asked
  /// once more, or won't.
  mutating func stopWatching(_ failure: LoadFailure?) {
    watch.end()
    if failure?.code == LoadFailure.Code.unknownState.rawValue, watch.since != nil {
      // What a page knows that is on its way can't be told by what happens from now on.
      log.forgetEntries()
      state = nil
      isInvalid = true
      watch.ask(since: nil)
    } else if failure?.isOfWatch == true {
      // The answer may be of no use as there is too much between the state that is held and the newest.
      if !watch.isFailing, hasPage { invalidate() }
      (watch.isFailing, state) = (true, nil)
      watch.ask(since: nil)
    } else if failure?.isRetryable == true {
      watch.retry(since: state)
    } else {
      watch.refuse()
    }
  }

  /// Carries changes out.
  mutating func apply(_ changes: [RowChange], isHolding: (RowChange) -> Bool, state: String?) {
    // Pages that came before one of that state are passed.
    if let state, let passed = futurePages.firstIndex(where: { $0.state == state }) { giveUpFuturePages(passed) }
    for change in changes {
      let isHolding = isHolding(change)
      if hasPage { changeRows { $0.apply(change, isHolding: isHolding) } }
      record(.change(change, isHolding: isHolding))
      guard hasPage else { continue }
      if isReloadingApart { shown.apply(change, isHolding: isHolding) }
    }
    if let state { reach(state) }
    reloadIfDoubtful()
    show()
  }

  private mutating func reloadIfDoubtful() {
    guard isPositioned, rows.arePositionsDoubtful else { return }
    changeRows { $0.arePositionsDoubtful = false }
    isInvalid = true
  }

  /// Records that the list must reload.
  mutating func invalidate() {
    isInvalid = true
    record(.reset)
  }

  /// Commits an edit. If the source's report of it may have been missed, pages may know the edit, and the list reloads.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - item: the item that it inserts or replaces its item with.
  ///   - isUncertain: whether the report may have been missed.
  ///   - isLast: whether the source made the edit and won't report it.
  ///   - isOwn: whether the list alone made the edit.
  mutating func commit(_ edit: ListEdit, _ item: ItemList.Item?, isUncertain: Bool, isLast: Bool, isOwn: Bool) {
    // An insert of a listed row only replaces it, also on a page that leaves it out.
    let isListed = edit.isInsertion && rows.all.rows.contains(edit.id)
    changeRows { $0.commit(edit, item, isLast: isLast) }
    record(.edit(isListed ? edit.asReplacement : edit, item, isLast: isLast))
    if isOwn { for index in futurePages.indices { futurePages[index].edits.append((edit, item)) } }
    if futurePages.first?.edits.count ?? 0 > FuturePage.mostEdits { giveUpFuturePages() }
    if isUncertain { invalidate() }
    if isReloadingApart { shown.commit(edit, item, isLast: isLast) }
    show()
  }

  /// Lists the deferred rows.
  mutating func showArrivals() {
    beneath?.value.showArrivals()
    record(.arrivalsShown)
    shown.showArrivals()
  }

  private mutating func reach(_ state: String) {
    self.state = state
    defer { record(.state(state)) }
    while let index = futurePages.firstIndex(where: { $0.state == state }) {
      let page = futurePages.remove(at: index)
      changeRows { page.add(to: &$0) }
      record(.page(page.page, atEnd: page.atEnd))
      for (edit, item) in page.edits { record(.edit(edit, item, isLast: false)) }
    }
  }

  /// The rows are again those from before a reload that isn't finished.
  mutating func restoreShown() { beneath = nil }

  mutating func show() {
    if isReloadingApart { return }
    if futurePages.isEmpty {
      if let rows = beneath { (shown, beneath) = (rows.value, nil) }
    } else {
      let rows = rows
      (shown, beneath) = (withFuturePages, CopyOnWrite(rows))
    }
  }

  var withFuturePages: SourceRows { futurePages.reduce(into: rows) { rows, page in page.add(to: &rows) } }

  /// Merges the first pages of later states, or all of them, although which changes they know is unknown now.
  private mutating func giveUpFuturePages(_ count: Int? = nil) {
    let count = count ?? futurePages.count
    if count == 0 { return }
    let passed = futurePages.prefix(count)
    changeRows { rows in for page in passed { page.add(to: &rows) } }
    futurePages.removeFirst(count)
    isInvalid = true
  }

  // MARK: - Rows that the list changes by itself

  /// Replaces a row, if it is read.
  mutating func replace(_ item: ItemList.Item) {
    changeRows { $0.replace(item) }
    if isReloadingApart { shown.replace(item) }
    show()
  }

  /// Adds rows at the end, or replaces those with their ids.
  mutating func append(_ items: RawItems) {
    changeRows { $0.append(items) }
    if isReloadingApart { shown.append(items) }
    show()
  }

  // MARK: - Windows

  /// Records the number of rows, or an estimate.
  mutating func count(_ total: Int, isExact: Bool) {
    changeRows { $0.count(total, isExact: isExact) }
    record(.count(total, isExact: isExact))
    if isReloadingApart { shown.count(total, isExact: isExact) }
    show()
  }

  /// Drops the unread rows. A reload finds out how many there are.
  mutating func forgetUnread() {
    changeRows { $0.forgetUnread() }
    invalidate()
    show()
  }

  /// Evicts read rows, by their indices among the listed ones, unless a reload or a page of a later state is about to change
  /// them.
  mutating func evict(_ range: Range<Int>) {
    guard reload == nil, futurePages.isEmpty else { return }
    changeRows { $0.evict(range) }
    show()
  }

  /// The pages that can be evicted. None while a reload or a page of a later state is about to change them.
  var evictablePages: [(index: Int, range: Range<Int>)] {
    reload == nil && futurePages.isEmpty ? rows.evictablePages : []
  }

  /// Evicts some of these pages.
  mutating func evict(pages indices: [Int]) {
    // From the last on, for a page may take in the one before it.
    for index in indices.sorted(by: >) { changeRows { $0.evict(page: index) } }
    show()
  }

  // MARK: - Pages

  /// Merges the page of the running load, with the state that it was read at, if the source gave one. The last try is merged
  /// in any case.
  mutating func receive(_ page: LoadedPage, at origin: PageOrigin, _ pageState: String?, isLastTry: Bool)
    -> ReceivedPage
  {
    let isFirst = origin.isFirst || reload.map { $0.pages == 0 } ?? false
    guard let pageState else {
      let isDoubtful = log.entries.contains { isPositioned ? $0.isPlaced : $0.isAnchored }
      if isDoubtful, !isLastTry { return ReceivedPage(isToBeAskedAgain: true) }
      hasPageOfUnknownState = true
      let received = merge(page, isFirst: isFirst, origin, before: log.entries[...], listsUnread: false)
      // The source changes faster than it is read.
      if isDoubtful { isInvalid = true }
      return received
    }
    if let index = log.entries.lastIndex(where: { $0.isState(pageState) }) {
      if !isFirst, let checkpoint = log.checkpoint {
        changeRows { $0 = checkpoint }
        for entry in log.entries[...index] { apply(entry) }
      }
      return merge(page, isFirst: isFirst, origin, before: log.entries[(index + 1)...])
    }
    if isFirst {
      state = pageState
      if watch.isConfirmed { watch.ask(since: pageState) }
      var received = merge(page, isFirst: true, origin, before: [])
      received.isAhead = true
      return received
    }
    guard state != nil else {
      state = pageState
      return merge(page, isFirst: false, origin, before: log.entries[...])
    }
    futurePages.append(FuturePage(state: pageState, page: page, atEnd: origin.isAtEnd))
    reload?.pages += 1
    let areTooMany = futurePages.count > FuturePage.most || futurePages.reduce(0) { $0 + $1.cost } > log.limit
    if areTooMany || log.entries.contains(where: \.isGap) { giveUpFuturePages() }
    show()
    return ReceivedPage(repeated: page.repeated)
  }

  private mutating func merge(
    _ page: LoadedPage, isFirst: Bool, _ origin: PageOrigin, before later: ArraySlice<LogEntry>,
    listsUnread: Bool = true
  ) -> ReceivedPage {
    // A page that comes later predates them: their states won't be reached.
    if isFirst { futurePages = [] } else { giveUpFuturePages() }
    if reload?.isApart == false {
      beneath = CopyOnWrite(rows)
      reload?.isApart = true
    }
    let repeated = changeRows { isFirst ? $0.start(with: page) : $0.add(page, atEnd: origin.isAtEnd) }
    for entry in later where !isFirst || !entry.isPage { apply(entry, listsUnread: listsUnread) }
    // This page itself reloads what was invalid before.
    if isFirst, reload == nil { isInvalid = later.contains { $0.isReset } }
    reloadIfDoubtful()
    reload?.pages += 1
    show()
    return ReceivedPage(repeated: repeated, isNewest: later.isEmpty)
  }

  private mutating func apply(_ entry: LogEntry, listsUnread: Bool = true) {
    changeRows { rows in
      switch entry {
      case .change(let change, let isHolding): rows.apply(change, isHolding: isHolding, listsUnread: listsUnread)
      case .edit(let edit, let item, let isLast): rows.commit(edit, item, isLast: isLast)
      case .page(let page, let atEnd): _ = rows.add(page, atEnd: atEnd)
      case .count(let total, let isExact): rows.count(total, isExact: isExact)
      case .arrivalsShown: rows.showArrivals()
      case .state, .reset, .gap: break
      }
    }
  }
}
