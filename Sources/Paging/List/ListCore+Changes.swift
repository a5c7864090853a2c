internal import Flow
internal import ItemList
internal import WireJSON

/// What a list that follows its source watches, and how its changes are paced.
struct WatchedCriteria {
  /// Which of the source's items the last watch was about.
  var criteria = Criteria()
  /// Whether there is a pause after changes that were listed.
  var isPaced = true
  /// Whether the running pause follows an update that changed only the total.
  var isPauseOfTotal = false
}

// MARK: - What the source reports

extension ListCore {
  /// Follows the source from now on. The load of a first page begins again, as it wasn't followed.
  mutating func follow(isPaced: Bool = true) {
    watched.isPaced = isPaced
    rows.follow()
    guard let running = loads.running, running.origin.isFirst else { return }
    begin(makeLoad(loads.newest.trigger, .first, isNamed: loads.newest.isNamed))
  }

  /// The request to report changes, and its number.
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

  /// Receives what the source reports: first that it watches, with what has happened since the requested state; then each
  /// change. During a pause changes wait for its end, but rows don't wait in a pause that follows a total.
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
    // A page that fails each time the list reloads does so with pauses.
    guard !isSilent || !changes.failures.isEmpty || !rows.hasPage else { return }
    watched.isPauseOfTotal = isCount
    if watched.isPaced { pace.start() }
  }

  /// Applies the changes that came during the pause, after which another pause begins.
  mutating func endPause() {
    if !rows.queue.isEmpty {
      watched.isPauseOfTotal = false
      pace.start()
    }
    loads.isReloadHeld = false
    applyWaitingChanges()
  }

  /// Reloads of an invalidated list may begin again.
  mutating func endRest() { loads.isReloadHeld = false }

  private mutating func applyWaitingChanges() {
    for changes in rows.queue.removeAll() { apply(changes) }
  }

  /// The source reports no more changes. Throws the failure of a watch that is requested again, unless the same stands.
  mutating func endWatch(_ error: (any Error)?) throws {
    applyWaitingChanges()
    rows.stopWatching(error as? LoadFailure)
    if rows.isInvalid { edits.markUncertain() }
    loads.isReloadHeld = false
    guard let failure = error as? LoadFailure, failure.isOfWatch, rows.watch.isFailing else { return }
    let standing = loads.failures.watch
    if (failure.code, failure.message) != (standing?.code, standing?.message) { throw failure }
  }

  /// Some reported changes were wrong, or the watch failed.
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
      // It reports a removal that is part of the rows, not an edit that was made after it.
      if case .remove(let id, _) = change, awaited.remove(id) != nil { continue }
      edits.recordEcho(change)
    }
    let isHolding = declaration.options.onArrival == .ask || declaration.options.onArrival == .hold && !sight.areAtTop
    rows.apply(changes, isHolding: { [edits] in isHolding && !edits.inserts($0.id) }, state: state)
  }
}

// MARK: - Pages

extension ListCore {
  /// Prepares the rows for a load that begins. Returns which page it asks for.
  mutating func prepareRows(for load: Load) -> PageOrigin {
    if rows.reload != nil { rows.breakOffReload() }
    var isFollowedAnew = load.origin.isFirst
    if case .reload(.fromStart, _, _) = load.origin { isFollowedAnew = true }
    if isFollowedAnew, isFollowed, watchRequest == nil || watched.criteria != criteria {
      watched.criteria = criteria
      loads.failures.watch = nil
      // What is listed stays until the first page comes.
      layEdits()
      rows.restart(order: criteria.order(over: declaration.source.order))
    } else if isFollowedAnew, rows.watch.isRefused {
      rows.askAnew()
    }
    var origin = load.origin
    if case .reload(let extent, _, _) = origin { origin = beginReload(extent) }
    rows.begin()
    return origin
  }

  /// Begins to reload rows: those that a client holds, of a source with positions. Returns which page comes first.
  private mutating func beginReload(_ extent: ReloadExtent) -> PageOrigin {
    if isPositioned, let window { return rows.beginReload(extent, at: sourcePositions(ofHeld: window)) }
    return rows.beginReload(extent, sight.ends, isFromStart: extent == .fromStart && window == nil)
  }

  /// Receives the running load's page. Returns what was wrong with some of its records. Throws if it isn't the requested page.
  mutating func receive<Item>(_ page: Page<Item>) throws(LoadFailure) -> [LoadFailure] {
    guard let load = loads.running else { return [] }
    if let mismatch = mismatch(in: page) {
      throw LoadFailure(.malformedResponse, "the source returned a page that \(mismatch)")
    }
    loads.isReloadHeld = false
    // Edits of all items are carried out on the rows that come. A version of the list that is kept has what changes copied.
    if !sent.ofAll.isEmpty || !sent.madeOfAll.isEmpty { sent.itemsBeforePage = items }
    applyWaitingChanges()
    // Nobody can say which of the unanswered edits the page knows, and has moved rows for.
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

  /// The page as the rows receive it.
  private func loadedPage<Item>(
    _ page: Page<Item>, _ items: RawItems, _ load: Load, at origin: PageOrigin
  ) -> LoadedPage {
    var loaded = LoadedPage(
      items: items, key: origin.key, next: page.next, previous: page.previous, isOpen: page.isOpen,
      isLast: page.isEmpty && page.key(beyond: origin) == nil,
      size: load.size, isAgain: load.origin.isEvicted, isAround: origin.isAround)
    // If a first page doesn't say how many rows there are, or a page around an item where it stands, pages go by keys.
    let mayHavePosition = window != nil && declaration.source.positions && (page.total != nil || page.isEmpty)
    guard origin.isFirst ? mayHavePosition && (page.position != nil || !origin.isAround) : isPositioned else {
      return loaded
    }
    // Sources in Swift may give any numbers. Sums of these don't overflow.
    func quantity(_ number: Int) -> Int { min(max(0, number), RawJSON.quantities.upperBound) }
    let (position, total) = (quantity(page.position ?? 0), page.total.map(quantity))
    (loaded.position, loaded.total) = (position, total)
    // Where a page has nothing, there is nothing from there on, whatever its source counts.
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
    // An estimate may be less than what is known to be there.
    if isPositioned, total != nil, !page.isTotalExact { total = rows.shown.all.count }
    if origin.isFirst {
      edits.start(of: load.criteria)
      loads.receiveFirstPage()
    }
    endRunningLoad()
    // What changes faster than it reloads doesn't reload without a rest.
    if load.origin.isReload, isFollowed, load.trigger == .invalidated || rows.isInvalid { rest.start() }
  }

  /// What is wrong with pages for a window that bring nothing new.
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

  /// A load has failed.
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
  /// Whether it has no items, and none that couldn't be used.
  var isEmpty: Bool { items.isEmpty && failures.isEmpty }

  /// The key of the page beyond it, seen from the rows; nil if it is the last one.
  func key(beyond origin: PageOrigin) -> RawJSON? { origin.isAtEnd ? next : previous }

  /// The page that is to be asked for because this one is empty; nil if none is.
  fileprivate func pageAfterEmptyOne(at origin: PageOrigin) -> PageOrigin? {
    guard isEmpty, origin.isFirst || origin.isFurther else { return nil }
    return key(beyond: origin).map { origin.isAtEnd ? .after($0) : .before($0) }
  }

  /// Where it belongs. A page around an item replaces all rows, unless it says where it stands.
  fileprivate func origin(_ asked: PageOrigin) -> PageOrigin {
    if case .around(let id, _) = asked, position == nil { .around(id, isFirst: true) } else { asked }
  }
}
