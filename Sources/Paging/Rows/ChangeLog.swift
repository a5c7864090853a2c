internal import Flow
internal import ItemList
internal import WireJSON

/// The rows of a source, the state of the source that they represent, and the rules that combine reported changes with
/// loaded pages.
///
/// While a load runs, each reported change is applied to the rows at once, and also recorded. When the page arrives,
/// the list goes back to the rows as they were at the page's state, adds the page, and applies the later changes again.
/// So a page never undoes a change that it doesn't contain yet.
///
/// - ``shown`` is what the list shows. It differs from ``rows`` only while a reload is unfinished, or while there are
///   pages of states that the rows haven't reached.
/// - ``state`` is the state of ``rows``.
struct ChangeLog {
  /// The result of adding a page.
  struct ReceivedPage {
    /// The positions in the page of items whose id occurred earlier in the same page.
    var repeated: [Int] = []
    /// Whether no recorded change is newer than the page.
    var isNewest = true
    /// Whether the page contains changes that the source won't report any more.
    var isAhead = false
    /// Whether the page couldn't be merged and must be requested again.
    var isToBeAskedAgain = false
  }

  /// The rows that the list shows, without pending edits. They include pages of states that the source's reports
  /// haven't reached yet.
  private(set) var shown: SourceRows
  /// The rows at ``state``, if ``shown`` has other rows: because of pages of later states, or during a reload. Nil
  /// otherwise. It is boxed, because most lists don't need it and ``changeRows(_:)`` moves it.
  private var beneath: CopyOnWrite<SourceRows>?
  /// The rows at ``state``.
  var rows: SourceRows { beneath?.value ?? shown }
  /// The state of the source that the rows are at; nil if unknown.
  private(set) var state: String?
  /// The list's request to the source to report changes.
  var watch = Watch()
  /// The reported changes that wait for the end of a pause.
  var queue = ChangeQueue()
  /// Whether a page without a state came after the last reported change. The list can't know which of the next reported
  /// changes this page contains already.
  private var hasPageOfUnknownState = false
  /// Whether the list must reload the rows in sight.
  var isInvalid = false
  /// The log of events since the running load began.
  var log = LoadLog()
  /// The pages of states that the source's reports haven't reached yet.
  private var futurePages: [FuturePage] = []
  /// The reload that is going on; nil if there is none.
  var reload: Reload?

  /// Rows of which none is loaded.
  init(_ options: SourceRows.Options, isPositioned: Bool = false) {
    shown = SourceRows(options, isPositioned: isPositioned)
  }

  /// Changes the rows at ``state`` in place. A setter of ``rows`` would allocate memory on each change.
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
  /// The rows that an edit removed and whose removal the source hasn't reported.
  var awaitedRemovals: Set<ItemID> { beneath?.value.removed ?? shown.removed }

  // MARK: - Watching

  /// Makes the rows expect reports from the source from now on.
  mutating func follow() {
    shown.follow()
    beneath?.value.follow()
  }

  /// Requests a watch without a state, while a first page loads. If there are rows, it is unknown which changes they
  /// missed, so they must reload.
  mutating func askAnew() {
    (state, isInvalid) = (nil, hasPage)
    watch.ask(since: nil)
  }

  /// Drops all rows and starts with others, because the criteria changed. `order` is the new criteria's order.
  mutating func restart(order: [RowOrder]) {
    let limit = log.limit
    var options = shown.options
    options.order = order
    self = ChangeLog(options, isPositioned: isPositioned)
    log.limit = limit
    watch.ask(since: nil)
  }

  /// Drops all rows; a first page follows.
  mutating func clear() {
    shown = SourceRows(shown.options, isPositioned: isPositioned)
    (beneath, futurePages) = (nil, [])
  }

  /// Starts to record changes, because a load begins. A source that isn't watched reports none, so nothing is recorded.
  mutating func begin() {
    if !shown.options.isFollowed { return }
    log.begin(rows)
    if let state { record(.state(state)) }
  }

  /// Records an event while a load runs. If too much happens, the record starts again and the list must reload.
  private mutating func record(_ entry: LogEntry) {
    log.record(entry)
    guard log.isTooLong else { return }
    log.begin(rows, after: [.reset, .gap])
    isInvalid = true
  }

  /// Ends the record, because the load is over.
  mutating func end() { log.end() }

  private var isReloadingApart: Bool { reload?.isApart ?? false }

  // MARK: - Reports of the source

  /// Receives the source's answer to the watch. Returns the changes to apply; nil if there are none or if the watch was
  /// requested again.
  mutating func answer<Item>(_ changes: SourceChanges<Item>) -> SourceChanges<Item>? {
    watch.confirm()
    if watch.isFailing || watch.isInterrupted {
      // Changes may have been missed between the two watches.
      (watch.isFailing, watch.isInterrupted, state) = (false, false, nil)
      invalidate()
    }
    guard let since = watch.since else {
      if let state {
        // A page came before the watch was confirmed. Changes between its state and the watch's state are unknown.
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

  /// Whether reported changes follow the rows' state. If not, the missing changes are requested from the source.
  mutating func follows<Item>(_ changes: SourceChanges<Item>) -> Bool {
    guard watch.isConfirmed else { return false }
    guard let since = changes.since, let state, since != state else {
      hasPageOfUnknownState = false
      return true
    }
    watch.ask(since: state)
    return false
  }

  /// Handles the end of the source's reports.
  ///
  /// - If the source doesn't know the rows' state any more, the list reloads and watches without a state.
  /// - After a retryable failure, it watches again.
  /// - Otherwise, it doesn't watch again until a first page loads.
  mutating func stopWatching(_ failure: LoadFailure?) {
    watch.end()
    if failure?.code == LoadFailure.Code.unknownState.rawValue, watch.since != nil {
      // Later reports can't show which changes the requested page contains.
      log.forgetEntries()
      state = nil
      isInvalid = true
      watch.ask(since: nil)
    } else if failure?.isOfWatch == true {
      // The answer may have been too long, because too much happened between the rows' state and the newest one.
      if !watch.isFailing, hasPage { invalidate() }
      (watch.isFailing, state) = (true, nil)
      watch.ask(since: nil)
    } else if failure?.isRetryable == true {
      watch.retry(since: state)
    } else {
      watch.refuse()
    }
  }

  /// Applies reported changes. `isHolding` returns whether a change defers its item if the item would come before the
  /// first row. `state` is the state after the changes.
  mutating func apply(_ changes: [RowChange], isHolding: (RowChange) -> Bool, state: String?) {
    // Pages of states before this one can't be reached any more.
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

  /// Makes the list reload, and records that.
  mutating func invalidate() {
    isInvalid = true
    record(.reset)
  }

  /// Makes an edit part of the rows. If the source's report of the edit may have been missed, pages may contain the
  /// edit already, so the list reloads.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - item: the new content of the item; nil for a removal.
  ///   - isUncertain: whether the source's report of the edit may have been missed.
  ///   - isLast: whether the source made the edit and won't report it.
  ///   - isOwn: whether the list made the edit alone, without its source.
  mutating func commit(_ edit: ListEdit, _ item: ItemList.Item?, isUncertain: Bool, isLast: Bool, isOwn: Bool) {
    // Inserting an item that is listed already only replaces it, also on a page that doesn't contain the item.
    let isListed = edit.isInsertion && rows.all.rows.contains(edit.id)
    changeRows { $0.commit(edit, item, isLast: isLast) }
    record(.edit(isListed ? edit.asReplacement : edit, item, isLast: isLast))
    if isOwn { for index in futurePages.indices { futurePages[index].edits.append((edit, item)) } }
    if futurePages.first?.edits.count ?? 0 > FuturePage.mostEdits { giveUpFuturePages() }
    if isUncertain { invalidate() }
    if isReloadingApart { shown.commit(edit, item, isLast: isLast) }
    show()
  }

  /// Moves the deferred rows into the list.
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

  /// Drops the rows of an unfinished reload. The rows shown before it are current again.
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

  /// Adds the pages of the next `count` later states to the rows, or of all of them. It is unknown which changes these
  /// pages contain, so the list must reload.
  private mutating func giveUpFuturePages(_ count: Int? = nil) {
    let count = count ?? futurePages.count
    if count == 0 { return }
    let passed = futurePages.prefix(count)
    changeRows { rows in for page in passed { page.add(to: &rows) } }
    futurePages.removeFirst(count)
    isInvalid = true
  }

  // MARK: - Rows that only the list changes

  /// Replaces a row, if it is loaded.
  mutating func replace(_ item: ItemList.Item) {
    changeRows { $0.replace(item) }
    if isReloadingApart { shown.replace(item) }
    show()
  }

  /// Adds rows at the end. A row whose id is listed already is replaced instead.
  mutating func append(_ items: RawItems) {
    changeRows { $0.append(items) }
    if isReloadingApart { shown.append(items) }
    show()
  }

  // MARK: - Windows

  /// Records the exact or estimated number of rows.
  mutating func count(_ total: Int, isExact: Bool) {
    changeRows { $0.count(total, isExact: isExact) }
    record(.count(total, isExact: isExact))
    if isReloadingApart { shown.count(total, isExact: isExact) }
    show()
  }

  /// Drops the unloaded rows. A reload counts them again.
  mutating func forgetUnloaded() {
    changeRows { $0.forgetUnloaded() }
    invalidate()
    show()
  }

  /// Evicts loaded rows by their indices among the listed ones. Does nothing while a reload or a page of a later state
  /// is about to change them.
  mutating func evict(_ range: Range<Int>) {
    guard reload == nil, futurePages.isEmpty else { return }
    changeRows { $0.evict(range) }
    show()
  }

  /// The pages that can be evicted. Empty while a reload or a page of a later state is about to change them.
  var evictablePages: [(index: Int, range: Range<Int>)] {
    reload == nil && futurePages.isEmpty ? rows.evictablePages : []
  }

  /// Evicts some of ``evictablePages``.
  mutating func evict(pages indices: [Int]) {
    // The last page goes first, because evicting a page may merge it with the page before it.
    for index in indices.sorted(by: >) { changeRows { $0.evict(page: index) } }
    show()
  }

  // MARK: - Pages

  /// Adds the page of the running load.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - origin: which page was requested.
  ///   - pageState: the state that the source read the page at; nil if it gave none.
  ///   - isLastTry: whether to add the page even if it may contain recorded changes.
  /// - Returns: how the page was added, or that it must be requested again.
  mutating func receive(_ page: LoadedPage, at origin: PageOrigin, _ pageState: String?, isLastTry: Bool)
    -> ReceivedPage
  {
    let isFirst = origin.isFirst || reload.map { $0.pages == 0 } ?? false
    guard let pageState else {
      let isDoubtful = log.entries.contains { isPositioned ? $0.isPlaced : $0.isAnchored }
      if isDoubtful, !isLastTry { return ReceivedPage(isToBeAskedAgain: true) }
      hasPageOfUnknownState = true
      let received = merge(page, isFirst: isFirst, origin, before: log.entries[...], listsUnloaded: false)
      // The source changes faster than its pages load.
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
    listsUnloaded: Bool = true
  ) -> ReceivedPage {
    // This page came later but is of an earlier state, so the states of the other pages won't be reached.
    if isFirst { futurePages = [] } else { giveUpFuturePages() }
    if reload?.isApart == false {
      beneath = CopyOnWrite(rows)
      reload?.isApart = true
    }
    let repeated = changeRows { isFirst ? $0.start(with: page) : $0.add(page, atEnd: origin.isAtEnd) }
    for entry in later where !isFirst || !entry.isPage { apply(entry, listsUnloaded: listsUnloaded) }
    // This page itself replaces the rows that were invalid.
    if isFirst, reload == nil { isInvalid = later.contains { $0.isReset } }
    reloadIfDoubtful()
    reload?.pages += 1
    show()
    return ReceivedPage(repeated: repeated, isNewest: later.isEmpty)
  }

  private mutating func apply(_ entry: LogEntry, listsUnloaded: Bool = true) {
    changeRows { rows in
      switch entry {
      case .change(let change, let isHolding): rows.apply(change, isHolding: isHolding, listsUnloaded: listsUnloaded)
      case .edit(let edit, let item, let isLast): rows.commit(edit, item, isLast: isLast)
      case .page(let page, let atEnd): _ = rows.add(page, atEnd: atEnd)
      case .count(let total, let isExact): rows.count(total, isExact: isExact)
      case .arrivalsShown: rows.showArrivals()
      case .state, .reset, .gap: break
      }
    }
  }
}
