internal import Flow
internal import ItemList
internal import WireJSON

// Derives everything that depends on a list's properties, once per step and in this order:
//
//     rebase → move → evict → want → publish → marks
//
// Each stage costs O(1) if nothing that it depends on has changed.

extension ListCore {
  /// Runs a step: changes the list's properties, and then derives what depends on them, even if the change throws.
  ///
  /// It is inlined, because a step that isn't compiled for the type of its result costs 400 instructions more.
  @inline(__always)
  mutating func step<Result, Failed: Error>(
    _ body: (inout ListCore) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    defer {
      settle()
      #if CHECK_INVARIANTS
        checkInvariants()
      #endif
    }
    return try body(&self)
  }

  /// Derives everything that depends on the list's properties.
  mutating func settle() {
    rebaseEdits()
    loads.decidePhase(hasMore: hasMore)
    moveWindow()
    evictRows()
    beginWantedLoad()
    publish()
    updateMarks()
    loads.failures.settle()
  }

  // MARK: Rebase

  /// Applies the pending edits to the current rows.
  private mutating func rebaseEdits() {
    finishListedInsertions()
    rebaseEditsIfStale()
    if rows.hasPage { (loads.keys, loads.openPage) = ((rows.shown.next, rows.shown.previous), rows.shown.openPage) }
    guard let before = sent.itemsBeforePage else { return }
    sent.itemsBeforePage = nil
    extendEditsOfAll(since: before)
    rebaseEditsIfStale()
  }

  private mutating func rebaseEditsIfStale() {
    // While the first page of new criteria loads, the old rows stay listed.
    guard rows.hasPage || rows.shown.options.keepsPlaces,
      !edits.isUpToDate(with: rows.shown.version, isHiding: !rows.shown.removed.isEmpty)
    else { return }
    edits.rebase(onto: rows.shown)
  }

  // MARK: Move

  /// The listed rows, loaded or not.
  private var listed: SparseList {
    if sent.removalsOfAll.values.contains(criteria) { return SparseList(items) }
    let rows = rows.shown.listed
    return rows.unloadedCount == 0 ? SparseList(items) : rows.with(rows: items, first: edits.firstCount)
  }

  /// Moves the window with its rows.
  private mutating func moveWindow() {
    guard window != nil else { return }
    let listed = listed
    window?.move(to: listed)
    if let id = window?.awaited, loads.running == nil, let index = window?.list.position(of: id) {
      window?.jump(to: index, count: declaration.options.pageSize)
    }
  }

  // MARK: Evict

  /// Evicts rows far from the window, unless there are pending edits. Until the first page of new criteria comes, the
  /// listed rows belong to the old criteria and couldn't be loaded again, so nothing is evicted.
  private mutating func evictRows() {
    guard window != nil, edits.isUnedited, rows.hasPage else { return }
    if isPositioned {
      while let surplus = window?.evictionCandidate {
        let count = window?.list.rows.count ?? 0
        rows.evict(surplus)
        followEviction()
        // The rows may refuse to evict, for example during a reload.
        if window?.list.rows.count ?? 0 >= count { return }
      }
    } else if window?.isFull == true, let surplus = window?.evictionCandidates(among: rows.evictablePages),
      !surplus.isEmpty
    {
      rows.evict(pages: surplus)
      followEviction()
    }
  }

  private mutating func followEviction() {
    edits.rebase(onto: rows.shown)
    let listed = listed
    window?.move(to: listed)
  }

  // MARK: Want

  /// Ends the running load if it is no longer needed, and begins the load that is.
  private mutating func beginWantedLoad() {
    // In other cases no other load is needed. This check saves 500 instructions, because the code below copies the list
    // twice.
    if !items.isEmpty { loads.loadsOfEmptyList = 0 }
    guard window != nil || rows.isInvalid || items.isEmpty || loads.isFollowingEmptyPages else { return }
    if let running = loads.running {
      if isWanted(running) { return }
      endRunningLoad()
      if case .reload(let extent, _, _) = running.origin {
        begin(makeLoad(running.trigger, .reload(extent), isNamed: running.isNamed))
        return followLoad()
      }
      followLoad()
    }
    guard let wanted = wantedLoad() else { return }
    if wanted.origin.isForWindow || wanted.origin.isFurther { window?.beginLoad() }
    if wanted.origin.isFirst { rows.isInvalid = false }
    if items.isEmpty { loads.loadsOfEmptyList += 1 }
    begin(wanted)
    followLoad()
  }

  /// Updates what depends on the loads: one that ends settles the edits that waited for it, and one that begins may
  /// clear the list.
  private mutating func followLoad() {
    rebaseEdits()
    loads.decidePhase(hasMore: hasMore)
    moveWindow()
  }

  /// The load that should run now: the running load if it is still needed, or else the most urgent one.
  func wantedLoad() -> Load? {
    if let running = loads.running, isWanted(running) { return running }
    return reload ?? pageForEmptyList ?? windowLoad
  }

  /// The page after an empty page, or the next page of a list whose items were all removed.
  private var pageForEmptyList: Load? {
    guard loads.failed == nil, rows.hasPage else { return nil }
    if let origin = loads.pageAfterEmptyOne {
      return makeLoad(loads.newest.trigger, origin, isNamed: loads.newest.isNamed)
    }
    guard window == nil, items.isEmpty, loads.loadsOfEmptyList < Loads.mostEmptyPages else { return nil }
    return loads.keys.next.map { makeLoad(.loadMore, .after($0)) }
  }

  /// Whether the running load is still needed. The user may have scrolled elsewhere.
  private func isWanted(_ load: Load) -> Bool {
    guard let window, rows.hasPage else { return true }
    switch load.origin {
    case .around: return window.awaited != nil
    case .at(let position) where isPositioned:
      let page = position..<position + load.size
      return window.wantedUnloaded.contains { sourcePositions(ofUnloaded: $0).overlaps(page) }
        || window.reachesOpenEnd && position >= sourcePosition(of: window.list.count)
    case .reload(_, _, at: .some(let position)):
      let held = sourcePositions(ofHeld: window)
      return held == rows.reload?.window || held.overlaps(position..<position + load.size)
    case .evicted(let key) where !isPositioned:
      return rows.shown.pageTable.map { pages in wantedPages(pages, window).contains { $0.key == key } } ?? true
    default: return true
    }
  }

  /// The reload of an invalidated list; or its first page, if that failed.
  private var reload: Load? {
    guard rows.isInvalid, !rows.queue.rest.isRunning, !loads.isReloadHeld else { return nil }
    if rows.hasPage { return makeLoad(.invalidated, .reload(.inSight)) }
    return loads.failed.flatMap { $0.origin.isFirst ? makeLoad(.invalidated, $0.origin) : nil }
  }

  /// The next page that the window needs.
  private var windowLoad: Load? {
    guard let window, rows.hasPage, !window.isStalled else { return nil }
    return isPositioned ? positionedLoad(window) : evictedPageLoad(window) ?? furtherLoad(window)
  }

  /// A page of unloaded rows inside the window, by its position.
  private func positionedLoad(_ window: ListWindow) -> Load? {
    guard let unloaded = window.unloaded ?? (window.reachesOpenEnd ? window.list.count : nil) else { return nil }
    let gap = window.gap(around: unloaded)
    // If more rows may follow, a full page is requested.
    let isOpen = !window.isTotalExact && gap.upperBound == window.list.count
    let size = isOpen ? declaration.options.pageSize : min(declaration.options.pageSize, gap.count)
    // If the page would extend into loaded rows, it begins earlier instead.
    let unloadedInSource = gap.isEmpty ? 0..<Int.max : sourcePositions(ofUnloaded: gap)
    let start = max(unloadedInSource.lowerBound, min(sourcePosition(of: unloaded), unloadedInSource.upperBound - size))
    if case .at(start)? = loads.failed?.origin { return nil }
    return makeLoad(window.trigger, .at(start), size: size)
  }

  /// The evicted pages inside the window, followed by the doubtful pages next to its rows.
  private func wantedPages(_ pages: PageTable, _ window: ListWindow) -> [PageTable.Page] {
    window.unloadedNumbers.flatMap(pages.unloaded) + window.wanted.flatMap(pages.doubtful)
  }

  /// An evicted page inside the window.
  private func evictedPageLoad(_ window: ListWindow) -> Load? {
    guard let pages = rows.shown.pageTable else { return nil }
    var failedKey: RawJSON??
    if case .evicted(let key)? = loads.failed?.origin { failedKey = key }
    return wantedPages(pages, window).first { $0.key != failedKey }
      .map { makeLoad(window.trigger, .evicted($0.key), size: $0.size) }
  }

  /// The page beyond an end, if the viewport is near that end.
  private func furtherLoad(_ window: ListWindow) -> Load? {
    guard loads.failed == nil, let viewport = window.viewport, rows.shown.pageTable != nil else { return nil }
    if let key = loads.keys.next, viewport.upperBound + window.margin >= window.list.count {
      return makeLoad(window.trigger, .after(key))
    }
    return loads.keys.previous.flatMap {
      viewport.lowerBound <= window.margin ? makeLoad(window.trigger, .before($0)) : nil
    }
  }

  // MARK: Publish

  private mutating func publish() {
    if window == nil { return }
    let isExact = isCounted
    window?.publish(isExact: isExact)
  }

  // MARK: Marks

  private mutating func updateMarks() {
    guard let marks else { return }
    if marks.isIdle { return self.marks?.rest() ?? () }
    let isWhole = isComplete && loads.running == nil
    let list = ListMarks.Subject(
      items: items, criteria: criteria, isComplete: window == nil || isWhole, isWhole: isWhole, edits: edits)
    self.marks?.follow(list)
  }
}
