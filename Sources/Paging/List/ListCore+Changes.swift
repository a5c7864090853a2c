internal import Flow
internal import ItemList
internal import WireJSON

/// The criteria that a list watches its source for, and the pauses between reported changes.
struct WatchedCriteria {
  /// The criteria of the newest watch.
  var criteria = Criteria()
  /// Whether a pause follows each time that reported changes are listed.
  var isPaced = true
  /// Whether the running pause follows an update that changed only the total.
  var isPauseOfTotal = false
}

// MARK: - Reports of the source

extension ListCore {
  /// Makes the list watch its source from now on. A running load of a first page starts again, because it began without
  /// a watch.
  mutating func follow(isPaced: Bool = true) {
    watched.isPaced = isPaced
    rows.follow()
    guard let running = loads.running, running.origin.isFirst else { return }
    begin(makeLoad(loads.newest.trigger, .first, isNamed: loads.newest.isNamed))
  }

  /// The request to report changes, and its number; nil if nothing is watched.
  var watchRequest: (number: Int, subject: WatchRequest)? {
    guard isFollowed, rows.watch.number > 0 else { return nil }
    return (rows.watch.number, WatchRequest(watched.criteria, state: rows.watch.since))
  }

  /// The shortest time between two steps in which reported changes are listed.
  var pace: Pause {
    get { rows.queue.pace }
    set { rows.queue.pace = newValue }
  }

  /// The shortest time between two reloads of an invalidated list.
  var rest: Pause {
    get { rows.queue.rest }
    set { rows.queue.rest = newValue }
  }

  /// Receives a report of the source. The first one confirms the watch, and has the changes since the requested state.
  /// The others are changes.
  ///
  /// During a pause, changes wait for its end. If the pause follows an update of the total only, row changes don't
  /// wait.
  mutating func receive<Item>(_ changes: SourceChanges<Item>) {
    window?.renew()
    loads.isReloadHeld = false
    guard rows.watch.isConfirmed else {
      if loads.failures.watch != nil { loads.touch() }
      loads.failures.watch = nil
      if rows.watch.since == nil { edits.markUncertain() }
      if let missed = rows.answer(changes.untyped) { apply(missed) }
      return
    }
    let isCount = changes.rows.isEmpty && !changes.isEverything && changes.failures.isEmpty
    guard !pace.isRunning || watched.isPauseOfTotal && !isCount else {
      return rows.queue.append(changes.untyped, limit: rows.log.limit)
    }
    applyWaitingChanges()
    let before = (rows.shown, total)
    apply(changes.untyped)
    let isSilent = rows.shown.lists(asMuchAs: before.0) && total == before.1
    // Failures cause a pause too. Otherwise a reload that always fails would be repeated endlessly.
    guard !isSilent || !changes.failures.isEmpty || !rows.hasPage else { return }
    watched.isPauseOfTotal = isCount
    if watched.isPaced { pace.start() }
  }

  /// Applies the changes that came during the pause, and starts another pause if there were any.
  mutating func endPause() {
    if !rows.queue.isEmpty {
      watched.isPauseOfTotal = false
      pace.start()
    }
    loads.isReloadHeld = false
    applyWaitingChanges()
  }

  /// Ends the pause between reloads of an invalidated list.
  mutating func endRest() { loads.isReloadHeld = false }

  private mutating func applyWaitingChanges() {
    for changes in rows.queue.removeAll() { apply(changes) }
  }

  /// Handles the end of the source's reports. Throws the failure of a watch that is requested again, unless the list
  /// shows the same failure already.
  mutating func endWatch(_ error: (any Error)?) throws {
    applyWaitingChanges()
    rows.stopWatching(error as? LoadFailure)
    if rows.isInvalid { edits.markUncertain() }
    loads.isReloadHeld = false
    guard let failure = error as? LoadFailure, failure.isOfWatch, rows.watch.isFailing else { return }
    let standing = loads.failures.watch
    if (failure.code, failure.message) != (standing?.code, standing?.message) { throw failure }
  }

  /// Records a failure of reported changes or of the watch.
  mutating func record(_ failure: Failure) {
    if rows.watch.isFailing { loads.failures.watch = failure } else { loads.failures.set(failure) }
    loads.touch()
  }

  private mutating func apply(_ changes: SourceChanges<RawJSON>) {
    guard rows.follows(changes) else { return }
    total = changes.total ?? total
    marks?.gone.formUnion(changes.goneIDs)
    loads.isReloadHeld = false
    if changes.isEverything {
      rows.invalidate()
      edits.markUncertain()
    }
    apply(changes.rows, state: changes.state)
    if let total = changes.total, isPositioned { rows.count(total, isExact: window?.isTotalExact ?? true) }
  }

  mutating func apply(_ changes: [RowChange], state: String?) {
    var awaited = rows.awaitedRemovals
    for change in changes {
      // This report is about a removal that is part of the rows already. It doesn't concern edits that were made later.
      if case .remove(let id, _) = change, awaited.remove(id) != nil { continue }
      edits.recordEcho(change)
    }
    let isHolding = declaration.options.onArrival == .ask || declaration.options.onArrival == .defer && !sight.areAtTop
    rows.apply(changes, isHolding: { [edits] in isHolding && !edits.inserts($0.id) }, state: state)
  }
}

// MARK: - Pages

extension ListCore {
  /// Prepares the rows for a load that begins. Returns which page it requests.
  mutating func prepareRows(for load: Load) -> PageOrigin {
    if rows.reload != nil { rows.breakOffReload() }
    var isFollowedAnew = load.origin.isFirst
    if case .reload(.fromStart, _, _) = load.origin { isFollowedAnew = true }
    if isFollowedAnew, isFollowed, watchRequest == nil || watched.criteria != criteria {
      watched.criteria = criteria
      loads.failures.watch = nil
      // The listed rows stay until the first page comes.
      applyEdits()
      rows.restart(order: criteria.order(over: declaration.source.order))
    } else if isFollowedAnew, rows.watch.isRefused {
      rows.askAnew()
    }
    var origin = load.origin
    if case .reload(let extent, _, _) = origin { origin = beginReload(extent) }
    rows.begin()
    return origin
  }

  /// Begins to reload rows. If the source has positions, these are the rows that the client holds. Returns which page
  /// comes first.
  private mutating func beginReload(_ extent: ReloadExtent) -> PageOrigin {
    if isPositioned, let window { return rows.beginReload(extent, at: sourcePositions(ofHeld: window)) }
    return rows.beginReload(extent, sight.ends, isFromStart: extent == .fromStart && window == nil)
  }

  /// Receives the running load's page. Returns the failures of its records. Throws if it isn't the requested page.
  mutating func receive<Item>(_ page: Page<Item>) throws(LoadFailure) -> [LoadFailure] {
    guard let load = loads.running else { return [] }
    if let mismatch = mismatch(in: page) {
      throw LoadFailure(.malformedResponse, "the source returned a page that \(mismatch)")
    }
    loads.isReloadHeld = false
    // Edits of all items are applied to the new rows later. Keeping the old list makes changes more expensive, so it is
    // kept only if needed.
    if !sent.editsOfAll.isEmpty || !sent.confirmedEditsOfAll.isEmpty { sent.itemsBeforePage = items }
    applyWaitingChanges()
    // The page may contain some of the unanswered edits or not, so its rows may have moved.
    if isPositioned, !sourceEchoesEdits { edits.markMovesUncertain() }
    let origin = page.origin(load.origin)
    let known = load.origin.isFurther ? withoutKnown(page.items) : PendingEdits.PageItems(items: page.items)
    let count = rows.shown.all.count
    let received = rows.receive(
      loadedPage(page, known.items, load, at: origin), at: origin, isFollowed ? page.state : nil,
      isLastTry: load.tries == 3)
    if received.isToBeAskedAgain {
      proceed(to: load.origin, tries: load.tries + 1)
      return []
    }
    if received.isAhead { edits.markUncertain() }
    if received.isNewest { total = page.total ?? (origin.isFirst ? nil : total) }
    if !page.failures.isEmpty { loads.pageFailures += page.failures }
    for position in known.repeated(received.repeated) {
      loads.pageFailures.append(LoadFailure(repeated: page.items.idText(at: position)))
    }
    if let next = rows.nextReloadPage() {
      proceed(to: next, tries: 0)
      return []
    }
    let isNew = !load.origin.isFurther || rows.shown.all.count > count
    var failures = loads.pageFailures
    guard loads.receive(isPositioned ? nil : page.pageAfterEmptyOne(at: origin)) else {
      throw LoadFailure(
        .malformedResponse,
        "the source returned \(Loads.mostEmptyPages) empty pages in a row, each with a key of another page; leave out "
          + "\"\(origin.isAtEnd ? "next" : "previous")\" if there are no more items")
    }
    finish(load, page, at: origin, isNew: isNew)
    if window?.isStalled == true { failures += stalledFailures(load, isNew: isNew) }
    return failures
  }

  /// Converts a page to what the rows receive.
  private func loadedPage<Item>(
    _ page: Page<Item>, _ items: RawItems, _ load: Load, at origin: PageOrigin
  ) -> LoadedPage {
    var loaded = LoadedPage(
      items: items, key: origin.key, next: page.next, previous: page.previous, isOpen: page.isOpen,
      isLast: page.isEmpty && page.key(beyond: origin) == nil,
      size: load.size, isAgain: load.origin.isEvicted, isAround: origin.isAround)
    // The list has positions only if its first page has a total, or if a page around an item has a position.
    let mayHavePosition = window != nil && declaration.source.positions && (page.total != nil || page.isEmpty)
    guard origin.isFirst ? mayHavePosition && (page.position != nil || !origin.isAround) : isPositioned else {
      return loaded
    }
    // Sources in Swift may give any numbers. These limits keep sums from overflowing.
    func quantity(_ number: Int) -> Int { min(max(0, number), RawJSON.quantities.upperBound) }
    let (position, total) = (quantity(page.position ?? 0), page.total.map(quantity))
    (loaded.position, loaded.total) = (position, total)
    // No rows follow an empty page, even if the source's total is higher.
    if page.isEmpty { loaded.total = page.isTotalExact ? min(position, total ?? position) : position }
    loaded.isTotalExact = page.isTotalExact || page.isEmpty
    return loaded
  }

  /// Ends a load whose last page has come.
  private mutating func finish<Item>(_ load: Load, _ page: Page<Item>, at origin: PageOrigin, isNew: Bool) {
    if load.origin.isReload { edits.start(of: load.criteria) }
    if origin.isFirst { window?.start(withRows: page.items.count) }
    if !origin.isAtEnd { window?.startFollowingFirstRows() }
    if !load.origin.isForWindow, isNew || loads.isFollowingEmptyPages { window?.renew() }
    let isExact = page.isTotalExact || page.isEmpty || !isPositioned
    if page.total != nil || page.isEmpty { window?.isTotalExact = isExact }
    // An estimate may be lower than the number of rows that are known.
    if isPositioned, total != nil, !page.isTotalExact { total = rows.shown.all.count }
    if origin.isFirst {
      edits.start(of: load.criteria)
      loads.receiveFirstPage()
    }
    endRunningLoad()
    // Without this pause, a source that changes during each reload would make the list reload endlessly.
    if load.origin.isReload, isFollowed, load.trigger == .invalidated || rows.isInvalid { rest.start() }
  }

  /// The failures of pages that were loaded for a window and brought nothing new.
  private func stalledFailures(_ load: Load, isNew: Bool) -> [LoadFailure] {
    var failures: [LoadFailure] = []
    if case .at(let position) = load.origin {
      failures.append(
        LoadFailure(
          .malformedResponse,
          "the source returned the same items at two positions; those around \(position) aren't requested again"))
    }
    if !isNew {
      failures.append(
        LoadFailure(
          .malformedResponse, "the source returned only items that are listed already; no more pages are requested")
      )
    }
    return failures
  }

  private mutating func proceed(to origin: PageOrigin, tries: Int) {
    loads.proceed(to: origin, tries: tries)
    rows.begin()
  }

  /// Handles a failed load.
  mutating func endFailedLoad(_ load: Load) {
    loads.isReloadHeld = load.origin.isReload || !rows.hasPage
    if load.origin.isReload {
      rows.breakOffReload()
    } else if !rows.hasPage, rows.isInvalid, !rest.isRunning {
      rest.start()
    }
  }
}

extension Page {
  /// Whether the page has no items, usable or not.
  var isEmpty: Bool { items.isEmpty && failures.isEmpty }

  /// The key of the page beyond this one, in the direction of the load; nil if this is the last page.
  func key(beyond origin: PageOrigin) -> RawJSON? { origin.isAtEnd ? next : previous }

  /// The page to load next because this page is empty; nil if there is none.
  fileprivate func pageAfterEmptyOne(at origin: PageOrigin) -> PageOrigin? {
    guard isEmpty, origin.isFirst || origin.isFurther else { return nil }
    return key(beyond: origin).map { origin.isAtEnd ? .after($0) : .before($0) }
  }

  /// Where the page belongs. A page around an item replaces all rows, unless it has a position.
  fileprivate func origin(_ asked: PageOrigin) -> PageOrigin {
    if case .around(let id, _) = asked, position == nil { .around(id, isFirst: true) } else { asked }
  }
}
