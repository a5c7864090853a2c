internal import Flow
internal import ItemList
internal import WireJSON

/// All that a ``Paged`` knows of its list, whatever the type of the items, and how pages and edits change it.
struct PagedState {
  /// Where a page belongs.
  enum Place {
    /// In the place of whatever is listed.
    case first
    /// After it, under a key that the page before has named.
    case after(RawJSON)
    /// Before it, under a key that the page after has named.
    case before(RawJSON)
    /// In a list that is read again, under a key by which it has come before; nil for the first. Or from a position on.
    case again(RawJSON?, at: Int? = nil)
    /// Where it was before it was let go, under the key by which it came; nil for the first.
    case kept(RawJSON?)
    /// From a position on, as the source counts.
    case at(Int)
    /// Where an item is: in the place of whatever is listed, if nobody knows how far that is from there.
    case around(ItemID, isFirst: Bool)
  }

  /// A load of one page.
  struct Load {
    /// The number of its run; each page of a load has one.
    let number: Int
    let place: Place
    let criteria: Criteria
    let size: Int
    /// How often asking for its page failed.
    var tries = 0
    /// How far it has come.
    var progress: LoadProgress?
  }

  let pageSize: Int
  /// Which of the source's items are listed, or are to be.
  private(set) var criteria: Criteria
  private(set) var trigger = LoadTrigger.appear
  /// Whether the newest load's failure is named by its trigger.
  private var isNamed = false
  private(set) var phase = LoadPhase.nothing
  private(set) var running: Load?
  /// The newest failure of a load or of an edit; nil again when a load begins.
  private var newestFailure: Failure? { didSet { isRefusal = false } }
  /// Whether it is an edit's.
  private var isRefusal = false
  /// The failure of the watch; nil again once a watch is answered.
  private var watchFailure: Failure?
  /// The failure that stands.
  var failure: Failure? { newestFailure ?? watchFailure }
  private(set) var answeredQueries = 0
  /// How many items were removed.
  private(set) var removals = 0
  /// Another one after each load that begins or ends, and each failure.
  private(set) var revision = 0
  private(set) var edited: EditedItems
  /// The edits that take out all that is looked for, read or not, by their numbers, and what that is.
  private var clearings: [Int: Criteria] = [:]
  /// The window through which the list is seen, unless it is seen whole.
  private(set) var window: Indirect<ListWindow>?
  /// What is beneath the edits, if the source says how it changes.
  var live: Indirect<LiveRows>?
  /// How many items the source has in all, where it knows.
  private(set) var total: Int?
  /// Whether the rest that runs is one after a total that was said alone.
  private var isRestOfTotal = false
  /// The rows that were in sight when somebody said so last, and whether the first was among them.
  private var seen: (first: ItemID, last: ItemID)?
  private var isAtTop = true
  /// The items that have gone, as their source has said, since somebody has looked; nil where nobody does.
  var gone: Set<ItemID>?
  /// Whether the source is asked how it changes, and under which query it was.
  private(set) var isFollowed = false
  private var watched = Criteria()
  /// What was wrong with the pages of a load that goes on.
  private var heldFailures: [LoadFailure] = []
  private let onArrival: OnArrival
  private let order: [RowOrder]
  /// The edits that the source has taken since the running load's page was asked for, which doesn't know of them: they
  /// count once it is over.
  private var taken = NumberMap<ListEdit>()
  /// Whether a search's first page is awaited.
  private var isSearching = false
  private var failed: Load?
  private var nextKey: RawJSON?
  private var previousKey: RawJSON?
  private let onRefresh: OnRefresh

  init(
    pageSize: Int, _ criteria: Criteria, onRefresh: OnRefresh, order: [RowOrder], onArrival: OnArrival,
    window: WindowSettings? = nil
  ) {
    self.pageSize = pageSize
    self.criteria = criteria
    self.onRefresh = onRefresh
    (self.order, self.onArrival) = (order, onArrival)
    edited = EditedItems()
    self.window = window.map { Indirect(ListWindow($0)) }
    if onRefresh == .revalidate || window != nil { becomeLive() }
  }

  var items: ItemList { edited.items }
  var arrivals: Int { live?.value.shown.arrivals.count ?? 0 }
  var hasMore: Bool { nextKey != nil || isAfterUnread || isOpen }
  var hasPrevious: Bool { previousKey != nil }
  var isWithoutResult: Bool { items.isEmpty && (phase == .requestFinished || phase == .reachedBottom) }

  // MARK: - Loads

  /// Begins the load that a trigger asks for now, if any.
  mutating func load(_ trigger: LoadTrigger, isNamed: Bool) {
    guard let place = place(for: trigger) else { return }
    begin(trigger, place, isNamed)
    followWindow()
  }

  /// Lists others of the source's items.
  mutating func ask(for criteria: Criteria, _ trigger: LoadTrigger, ifLoaded: Bool, isNamed: Bool) {
    guard criteria != self.criteria else { return }
    self.criteria = criteria
    window?.value.forgetViewport()
    if !ifLoaded || phase != .nothing { begin(trigger, .first, isNamed) }
    followWindow()
  }

  func loadTrigger(forVisibleRows rows: Range<Int>, prefetch: Int) -> LoadTrigger? {
    guard window == nil, running == nil, failed == nil else { return nil }
    if nextKey != nil, min(rows.upperBound, items.count) >= items.count - prefetch { return .loadMore }
    return previousKey != nil && rows.lowerBound <= prefetch ? .reachTop : nil
  }

  private func place(for trigger: LoadTrigger) -> Place? {
    switch trigger {
    case .appear: phase == .nothing ? .first : nil
    case .refresh, .search, .filter: .first
    case .retry: running == nil ? failed?.place : nil
    case .invalidated, .viewport, .jump: nil
    case .reachBottom, .loadMore: further(nextKey.map(Place.after))
    case .reachTop: further(previousKey.map(Place.before))
    }
  }

  /// A page at an end; the first where that has failed, and none while a load runs.
  private func further(_ place: Place?) -> Place? {
    guard running == nil else { return nil }
    return failed?.place.isFirst == true ? .first : place
  }

  private mutating func begin(_ trigger: LoadTrigger, _ place: Place, _ isNamed: Bool, size: Int? = nil) {
    end()
    let place = live == nil ? place : beginLive(trigger, place)
    isSearching = isSearching || trigger == .search
    running = Load(number: UniqueNumber.next(), place: place, criteria: criteria, size: size ?? pageSize)
    failed = nil
    newestFailure = nil
    self.trigger = trigger
    self.isNamed = isNamed
    phase = .requesting
    guard place.isFirst, onRefresh == .clear, trigger != .jump else { return }
    edited.clear()
    live?.value.clear()
    nextKey = nil
    previousKey = nil
  }

  /// The running load is over, if there is one.
  private mutating func end() {
    revision = UniqueNumber.next()
    running = nil
    live?.value.end()
    settleTaken()
  }

  /// Takes note of what a load reports while it runs.
  mutating func note(_ report: RunReport, of number: Int) {
    guard number == running?.number else { return }
    switch report {
    case .retried:
      running?.progress = nil
      settleTaken()
    case .progress(let progress): running?.progress = progress
    }
  }

  /// Pages that come from now on know of the edits that the source has taken.
  private mutating func settleTaken() {
    while let (number, edit) = taken.first {
      taken[number] = nil
      edited.settle(edit)
    }
  }

  /// Takes the running load's page, and gives what was wrong with some of its records.
  mutating func take<Item>(_ answer: Page<Item>) -> [LoadFailure] {
    guard let load = running else { return [] }
    if live != nil {
      defer { followWindow() }
      return takeLive(answer, load)
    }
    let (page, next, previous, failures) = (answer.items, answer.next, answer.previous, answer.failures)
    let isEmpty = answer.isLast
    let repeated: [Int]
    switch load.place {
    case .first, .again, .kept, .at, .around:
      repeated = edited.start(with: page, of: load.criteria)
      (nextKey, previousKey) = (isEmpty ? nil : next, previous)
      if isSearching { answeredQueries += 1 }
      isSearching = false
    case .after:
      repeated = edited.add(page, atEnd: true)
      nextKey = isEmpty ? nil : next
    case .before:
      repeated = edited.add(page, atEnd: false)
      previousKey = isEmpty ? nil : previous
    }
    end()
    phase = nextKey == nil ? .reachedBottom : .requestFinished
    return failures + repeated.map { LoadFailure(repeated: page.idText(at: $0)) }
  }

  /// A load, or some of its page's records, has failed. A load that was given up has no failure, and takes none away.
  mutating func fail(_ failure: Failure?, of number: Int) {
    if let load = running, load.number == number {
      end()
      failed = load
      phase = .failed
      endLive(load)
    } else {
      revision = UniqueNumber.next()
    }
    defer { followWindow() }
    guard var failure else { return }
    if isNamed { failure.trigger = trigger.rawValue }
    newestFailure = failure
  }

  // MARK: - Edits

  mutating func insert(_ item: ItemList.Item, before next: ItemID?) -> [ListEdit] {
    defer { followWindow() }
    return edited.insert(item, before: next, of: criteria).map { [$0] } ?? []
  }

  mutating func remove(_ ids: [ItemID]) -> [ListEdit] {
    defer { followWindow() }
    let edits = ids.compactMap { edited.remove($0) }
    removals += edits.count
    return edits
  }

  mutating func update(_ items: [ItemList.Item]) -> [ListEdit] {
    defer { followWindow() }
    return items.compactMap { edited.update($0) }
  }

  mutating func replace(_ item: ItemList.Item) {
    edited.replace(item)
    window?.value.keep(item.itemID)
    fold()
    followWindow()
  }

  mutating func append(_ items: RawItems) {
    guard live != nil else { return _ = edited.add(items, atEnd: true) }
    apply(items.slices.indices.map { .insert(ItemList.Item(items, at: $0), .end, position: nil) }, state: nil)
  }

  /// Edits are done: the source has made them, or they are the list's own.
  mutating func settle(_ edits: [ListEdit], isMade: Bool) {
    let waitsForLoad = running != nil && live == nil
    for edit in edits {
      if waitsForLoad { taken[UInt(edit.number)] = edit } else { edited.settle(edit, isMade: isMade) }
    }
    if !waitsForLoad { fold() }
    followWindow()
  }

  mutating func refuse(_ edits: [ListEdit], _ failure: Failure?) {
    for edit in edits { edited.refuse(edit) }
    fold()
    defer { followWindow() }
    guard let failure else { return }
    newestFailure = failure
    isRefusal = true
    revision = UniqueNumber.next()
  }

  /// The source is asked for another edit: a refusal of one before doesn't stand any more.
  mutating func forgetRefusal() {
    guard isRefusal else { return }
    newestFailure = nil
    revision = UniqueNumber.next()
  }

  /// What isn't read of all that is looked for isn't there any more, as far as the user is concerned.
  mutating func beginClearing(_ number: Int) {
    clearings[number] = criteria
    followWindow()
  }

  /// The source has taken all out that is looked for but some items, or has refused to. Which of those there are that
  /// weren't read is to be found out.
  mutating func endClearing(_ number: Int, isRefused: Bool) {
    guard let criteria = clearings.removeValue(forKey: number) else { return }
    if !isRefused, criteria == self.criteria, live?.value.shown.all.unreadCount ?? 0 > 0 {
      live?.value.forgetUnread()
      lay()
      readAgain()
    }
    followWindow()
  }
}

// MARK: - Lists that live

extension PagedState {
  /// From now on the source reports how it changes. A load of a first page begins once more, as it wasn't live.
  mutating func follow() {
    isFollowed = true
    if live == nil { becomeLive() }
    if running?.place.isFirst == true { begin(trigger, .first, isNamed) }
  }

  private mutating func becomeLive() {
    let isPositioned = window?.value.settings.hasPositions ?? false
    live = Indirect(LiveRows(order: order, isPositioned: isPositioned, letsGo: window != nil))
    edited = EditedItems(isAbove: true)
  }

  /// What the source is asked that is to say how it changes, and how often it was asked.
  var watch: (number: Int, subject: WatchRequest)? {
    guard isFollowed, let watch = live?.value.watch, watch.number > 0 else { return nil }
    return (watch.number, WatchRequest(watched, state: watch.since))
  }

  /// A time of rest after something was listed that the source has said.
  var pace: Pause {
    get { live?.value.pace ?? Pause() }
    set { live?.value.pace = newValue }
  }

  /// The time after an invalidated list was read again in which that isn't done once more.
  var rest: Pause {
    get { live?.value.rest ?? Pause() }
    set { live?.value.rest = newValue }
  }

  /// Takes what the source says: first that it will tell, and what has happened since it was asked about; then what
  /// happens. What comes during a rest waits for its end, but for rows where the rest is that of a total.
  mutating func hear<Item>(_ changes: SourceChanges<Item>) {
    defer { followWindow() }
    window?.value.renew()
    guard live?.value.isWatching == true else {
      if watchFailure != nil { revision = UniqueNumber.next() }
      watchFailure = nil
      if live?.value.watch.since == nil { edited.missSome() }
      if let missed = live?.value.answer(changes.untyped) { apply(missed) }
      return readAgain()
    }
    let isCount = changes.rows.isEmpty && !changes.isEverything && changes.failures.isEmpty
    guard !pace.isRunning || isRestOfTotal && !isCount else { return live?.value.wait(with: changes.untyped) ?? () }
    flush()
    let before = (items, arrivals, total)
    apply(changes.untyped)
    let isSilent = items.isIdentical(to: before.0) && (arrivals, total) == (before.1, before.2)
    // A page that fails each time it is read again is so with rests.
    guard !isSilent || !changes.failures.isEmpty || live?.value.hasPage == false else { return }
    isRestOfTotal = isCount
    pace.start()
  }

  /// Takes what has come during the rest, after which there is another, and reads again what changed while it was read.
  mutating func goOnAfterPause() {
    if live?.value.isWaiting == true {
      isRestOfTotal = false
      pace.start()
    }
    flush()
    readAgain()
    followWindow()
  }

  /// Reads the list again where that had to wait.
  mutating func goOnAfterRest() {
    readAgain()
    followWindow()
  }

  private mutating func flush() {
    for changes in live?.value.takeWaiting() ?? [] { apply(changes) }
  }

  /// The source won't report changes any more. Throws the failure of a watch that is asked for again, unless the same stands.
  mutating func stopHearing(_ error: (any Error)?) throws {
    flush()
    live?.value.stopWatching(error as? LoadFailure)
    if live?.value.isInvalid == true { edited.missSome() }
    readAgain()
    followWindow()
    guard let failure = error as? LoadFailure, failure.isOfWatch, live?.value.isFailing == true else { return }
    if (failure.code, failure.message) != (watchFailure?.code, watchFailure?.message) { throw failure }
  }

  /// Something was wrong with what the source has reported, or the watch has failed.
  mutating func note(_ failure: Failure) {
    if live?.value.isFailing == true { watchFailure = failure } else { newestFailure = failure }
    revision = UniqueNumber.next()
  }

  /// Takes note of the rows that are in sight, whose positions may be meant in an earlier version of the window.
  mutating func see(_ rows: Range<Int>, at revision: Int? = nil) {
    guard live != nil else { return }
    // Whoever names the rows may name any; these can be counted on with.
    var rows = rows.clamped(to: 0..<RawJSON.quantities.upperBound)
    if let revision { rows = window?.value.positions(of: rows, at: revision) ?? rows }
    isAtTop = rows.lowerBound == 0
    window?.value.show(rows)
    let list = window?.value.list ?? SparseList(items)
    let read = list.rows(in: window?.value.held ?? rows)
    seen = read.isEmpty ? nil : (list.rows[read.lowerBound].itemID, list.rows[read.upperBound - 1].itemID)
    if isAtTop, onArrival == .hold { showArrivals() }
    followWindow()
  }

  /// Lists what was held back, if there is anything.
  @discardableResult
  mutating func showArrivals() -> Bool {
    guard arrivals > 0 else { return false }
    live?.value.showArrivals()
    lay()
    followWindow()
    return true
  }

  private mutating func apply(_ changes: SourceChanges<RawJSON>) {
    guard live?.value.follows(changes) == true else { return }
    total = changes.total ?? total
    gone?.formUnion(changes.goneIDs)
    if changes.isEverything {
      live?.value.invalidate()
      edited.missSome()
    }
    apply(changes.rows, state: changes.state)
    if let total = changes.total, isPositioned {
      live?.value.count(total, isExact: window?.value.isTotalExact ?? true)
      lay()
    }
    readAgain()
  }

  private mutating func apply(_ changes: [RowChange], state: String?) {
    var awaited = live?.value.awaitedRemovals ?? []
    for change in changes {
      // It is said of a removal that is a part of the rows, and not of an edit that was made after it.
      if case .remove(let id, _) = change, awaited.remove(id) != nil { continue }
      edited.hear(change)
    }
    let isHolding = onArrival == .ask || onArrival == .hold && !isAtTop
    live?.value.apply(changes, isHolding: { [edited] in isHolding && !edited.inserts($0.id) }, state: state)
    lay()
  }

  /// Makes the edits a part of the rows that have become one.
  private mutating func fold() {
    guard live != nil else { return }
    let folded = edited.takeFolded()
    if folded.isEmpty { return }
    for (edit, item, isMade, isEchoed, isUnsure) in folded where !isEchoed {
      let isLast = isMade && !isTold
      // A page that is on its way may know of it, or not.
      let isShifted = isLast && isPositioned && running != nil && !edit.isReplacement
      live?.value.fold(edit, item, isUnsure: isUnsure || isShifted, isLast: isLast)
    }
    lay()
    readAgain()
  }

  /// Whether the source says what becomes of its rows, the user's own edits among that.
  private var isTold: Bool { isFollowed && live?.value.isRefused == false }

  /// Lays the edits on the rows.
  private mutating func lay() {
    guard let live, live.value.hasPage else { return }
    let shown = live.value.shown
    edited.lay(on: shown.listed.rows)
    (nextKey, previousKey) = (shown.next, shown.previous)
  }

  /// A load begins. Gives the place of the page that it asks for.
  private mutating func beginLive(_ trigger: LoadTrigger, _ place: Place) -> Place {
    if live?.value.reading != nil { live?.value.breakOffReading() }
    var place = place
    if case .again = place {
      place = beginReading(mostPages: .max, isFromStart: false)
    } else if place.isFirst {
      if isFollowed, watch == nil || watched != criteria {
        watched = criteria
        watchFailure = nil
        live?.value.restart(order: criteria.order(over: order))
      } else if live?.value.isRefused == true {
        live?.value.askAnew()
      }
      if trigger == .refresh, onRefresh == .revalidate, live?.value.hasPage == true {
        place = beginReading(mostPages: 10, isFromStart: window == nil)
      }
    }
    live?.value.begin()
    return place
  }

  /// Begins to read again what is in sight, or what a client holds of a source that has positions.
  private mutating func beginReading(mostPages: Int, isFromStart: Bool) -> Place {
    if isPositioned, let held = window?.value.held {
      let start = sourcePosition(of: held.lowerBound)
      return live?.value.beginReading(at: start..<start + max(1, held.count)) ?? .first
    }
    return live?.value.beginReading(seen, mostPages: mostPages, isFromStart: isFromStart) ?? .first
  }

  private mutating func takeLive<Item>(_ page: Page<Item>, _ load: Load) -> [LoadFailure] {
    flush()
    // Which of the edits it knows that aren't answered, and has rows elsewhere for, nobody will say.
    if isPositioned, !isTold { edited.missPlaces() }
    let place = page.place(load.place)
    var loaded = LoadedPage(
      items: page.items, key: place.key, next: page.next, previous: page.previous, isLast: page.isLast,
      size: load.size, isAgain: load.place.isKept, isAround: place.isAround)
    // Where a first page doesn't say how many rows there are, or one around an item where it stands, pages go by their keys.
    let mayHavePosition = window?.value.settings.hasPositions == true && (page.total != nil || page.isLast)
    if place.isFirst ? mayHavePosition && (page.position != nil || !place.isAround) : isPositioned {
      // A source in Swift may say any number, and these are counted on with.
      func quantity(_ number: Int) -> Int { min(max(0, number), RawJSON.quantities.upperBound) }
      let (position, total) = (quantity(page.position ?? 0), page.total.map(quantity))
      // From where a page has nothing there is nothing, whatever its source counts.
      (loaded.position, loaded.total) = (position, total)
      if page.isLast { loaded.total = page.isTotalExact ? min(position, total ?? position) : position }
      loaded.isTotalExact = page.isTotalExact || page.isLast
    }
    let count = live?.value.shown.all.count ?? 0
    guard let taken = live?.value.take(loaded, at: place, page.state, isLastTry: load.tries == 3) else {
      return []
    }
    if taken.isToBeAskedAgain {
      goOn(load.place, tries: load.tries + 1)
      return []
    }
    if taken.isAhead { edited.missSome() }
    if taken.isNewest { total = page.total ?? (place.isFirst ? nil : total) }
    heldFailures += page.failures + taken.repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
    if let place = live?.value.readOn() {
      goOn(place, tries: 0)
      return []
    }
    if case .again = load.place { edited.start(of: load.criteria) }
    if place.isFirst { window?.value.firstCount = page.items.count }
    let isNew = !load.place.isFurther || live?.value.shown.all.count ?? 0 > count
    if !load.place.isForWindow, isNew { window?.value.renew() }
    let isExact = page.isTotalExact || page.isLast || !isPositioned
    if page.total != nil || page.isLast { window?.value.isTotalExact = isExact }
    // An estimate may be less than what is known to be there.
    if isPositioned, total != nil, !page.isTotalExact { total = live?.value.shown.all.count }
    if place.isFirst {
      edited.start(of: load.criteria)
      if isSearching { answeredQueries += 1 }
      isSearching = false
    }
    lay()
    end()
    phase = hasMore ? .requestFinished : .reachedBottom
    if case .at(let position) = load.place, window?.value.isStalled == true {
      heldFailures.append(
        LoadFailure(
          .malformedResponse, "the source has items at two positions: those around \(position) aren't asked for again"))
    }
    if !isNew, window?.value.isStalled == true {
      heldFailures.append(
        LoadFailure(
          .malformedResponse, "the source's pages have only what is listed, whatever their keys: no more are asked for")
      )
    }
    defer { heldFailures = [] }
    // What changes faster than it is read isn't read without a rest.
    if case .again = load.place, isFollowed, trigger == .invalidated || live?.value.isInvalid == true { rest.start() }
    readAgain()
    return heldFailures
  }

  /// Asks for another page in the course of a load, or for the same one again.
  private mutating func goOn(_ place: Place, tries: Int) {
    guard let load = running else { return }
    revision = UniqueNumber.next()
    running = Load(number: UniqueNumber.next(), place: place, criteria: load.criteria, size: load.size, tries: tries)
    live?.value.begin()
  }

  /// A load has failed.
  private mutating func endLive(_ load: Load) {
    guard live != nil else { return }
    heldFailures = []
    if case .again = load.place {
      live?.value.breakOffReading()
      lay()
    } else if live?.value.hasPage == true {
      readAgain()
    } else if live?.value.isInvalid == true, !pace.isRunning {
      pace.start()
    }
  }

  /// Reads again what is in sight, if it has to be and nothing else is loading: a first page that couldn't be read as well.
  private mutating func readAgain() {
    guard running == nil, let live, live.value.isInvalid, !rest.isRunning else { return }
    if live.value.hasPage {
      begin(.invalidated, .again(nil), true)
    } else if let first = failed?.place, first.isFirst {
      self.live?.value.isInvalid = false
      begin(.invalidated, first, true)
    }
  }
}

// MARK: - Windows

extension PagedState {
  /// Whether pages come from the positions where the window is.
  private var isPositioned: Bool { live?.value.isPositioned ?? false }

  /// Whether rows follow the last that is read.
  private var isAfterUnread: Bool {
    live.map { $0.value.shown.all.isAfterUnread($0.value.shown.all.rows.count) } ?? false
  }

  /// Whether rows may follow the last one that is counted.
  private var isOpen: Bool { isPositioned && live?.value.hasPage == true && window?.value.isTotalExact == false }

  /// Whether all is read that there is.
  var isComplete: Bool { areEndsKnown && !isOpen && window?.value.list.unreadCount ?? 0 == 0 }

  /// Whether both ends have come.
  private var areEndsKnown: Bool {
    let hasPage =
      live?.value.hasPage ?? (phase != .nothing && running?.place.isFirst != true && failed?.place.isFirst != true)
    return hasPage && nextKey == nil && !hasPrevious
  }

  /// Whether it is known how many rows there are.
  var isCounted: Bool {
    if isPositioned, total != nil, window?.value.isTotalExact == true, live?.value.hasPage == true { return true }
    return live?.value.shown.kept.map { areEndsKnown && $0.isSure } ?? isComplete
  }

  /// What is shown to the client.
  var shown: Listed { window?.value.published ?? Listed(items) }

  /// What is listed, with what isn't read.
  private var listed: SparseList {
    if clearings.values.contains(criteria) { return SparseList(items) }
    let rows = live?.value.shown.listed
    return rows.map { $0.unreadCount == 0 ? SparseList(items) : $0.with(rows: items, first: edited.firstCount) }
      ?? SparseList(items)
  }

  /// Where a client is to scroll to.
  var scroll: Pulse<ScrollTarget> {
    get { window?.value.scroll ?? Pulse() }
    set { window?.value.scroll = newValue }
  }

  /// Goes to a row, if there is one.
  mutating func jump(to index: Int) -> Bool {
    guard let count = window?.value.list.count, 0..<count ~= index else { return false }
    window?.value.jump(to: index, count: pageSize)
    followWindow()
    return true
  }

  /// Goes to an item, if it is read or can be asked for.
  mutating func jump(to id: ItemID) -> Bool {
    if let index = window?.value.list.position(of: id) { return jump(to: index) }
    guard window?.value.settings.findsItems == true, live?.value.hasPage == true else { return false }
    window?.value.awaited = id
    begin(.jump, .around(id, isFirst: !isPositioned), true)
    return true
  }

  /// Has a row read and kept that somebody shows.
  mutating func show(_ row: ShownRow?, for owner: AnyObject) {
    window?.value.show(row, for: owner)
    followWindow()
  }

  /// What a page lacks that was asked for by a position or an item; nil where it is all there.
  func lack<Item>(of page: Page<Item>) -> String? {
    switch running?.place {
    case .at(let asked), .again(_, at: .some(let asked)):
      if page.isLast || page.position == asked { return nil }
      return page.position.map { "begins at the position \($0), and was asked for from \(asked) on" }
        ?? "has no position"
    case .around(let id, _):
      return (0..<page.items.count).contains { page.items.id(at: $0) == id } ? nil : "doesn't hold the item \(id)"
    default: return nil
    }
  }

  /// Has the window follow what is listed: it stays with its rows, what it holds is read, and what is far from it goes.
  private mutating func followWindow() {
    guard window != nil else { return }
    let listed = listed
    window?.value.move(to: listed)
    if let id = window?.value.awaited, running == nil, let index = window?.value.list.position(of: id) {
      window?.value.jump(to: index, count: pageSize)
    }
    letGo()
    readWindow()
    let isExact = isCounted
    window?.value.publish(isExact: isExact)
  }

  /// Evicts rows that are far from the window, while nothing is being edited. Before a first page the listed rows are those
  /// of the query before, which can't be read again.
  private mutating func letGo() {
    guard edited.isUnedited, live?.value.hasPage == true else { return }
    if isPositioned {
      while let surplus = window?.value.surplus {
        live?.value.letGo(surplus)
        lay()
        let rest = self.listed
        // The rows may refuse, as while the list is read again.
        guard let count = window?.value.list.rows.count, rest.rows.count < count else { break }
        window?.value.move(to: rest)
      }
    } else if window?.value.isFull == true, let live,
      let surplus = window?.value.surplus(of: live.value.pagesToLetGo), !surplus.isEmpty
    {
      self.live?.value.letGo(pages: surplus)
      lay()
      let listed = listed
      window?.value.move(to: listed)
    }
  }

  /// Edits that were made of a page may be known to it: what the source has said of them may not be heard any more.
  mutating func doubtEdits() { edited.missSome() }

  /// Begins a load of what the window holds and isn't read, unless one runs that is for that.
  private mutating func readWindow() {
    guard let window = window?.value, live?.value.hasPage == true else { return }
    // Somebody looks elsewhere.
    if case .around? = running?.place, window.awaited == nil { giveUp() }
    guard isPositioned else { return readKeptInWindow(window) }
    switch running?.place {
    case nil: break
    case .at(let position):
      let start = position + editedRows(before: position)
      if window.wants(start..<start + (running?.size ?? 0)) { return }
      if window.reachesOpenEnd, start >= window.list.count { return }
    default: return
    }
    guard !window.isStalled, let unread = window.unread ?? (window.reachesOpenEnd ? window.list.count : nil) else {
      return running == nil ? () : giveUp()
    }
    let gap = window.gap(around: unread)
    // Where more rows may follow, a whole page is asked for.
    let isOpen = !window.isTotalExact && gap.upperBound == window.list.count
    let size = isOpen ? pageSize : min(pageSize, gap.count)
    // What ends where rows are read is read up to those.
    let start = sourcePosition(of: max(gap.lowerBound, min(unread, gap.upperBound - size)))
    if running == nil, case .at(start)? = failed?.place { return }
    self.window?.value.beginLoad()
    begin(window.trigger, .at(start), true, size: size)
  }

  /// Reads again what the window holds of pages that were let go, or else what the rows in sight come near.
  private mutating func readKeptInWindow(_ window: ListWindow) {
    guard let pages = live?.value.shown.kept else { return }
    let wanted = window.unreadNumbers.flatMap(pages.unread) + window.wanted.flatMap(pages.doubtful)
    if case .kept(let key)? = running?.place {
      if wanted.contains(where: { $0.key == key }) { return }
    } else if running != nil {
      return
    }
    var failedKey: RawJSON??
    if running == nil, case .kept(let key)? = failed?.place { failedKey = key }
    guard !window.isStalled, let page = wanted.first(where: { $0.key != failedKey }) else {
      if running != nil { giveUp() }
      return readOnInWindow(window)
    }
    self.window?.value.beginLoad()
    begin(window.trigger, .kept(page.key), true, size: page.size)
  }

  /// Ends a load whose page isn't wanted any more.
  private mutating func giveUp() {
    end()
    phase = hasMore ? .requestFinished : .reachedBottom
  }

  /// Loads the page at an end that the rows in sight come near.
  private mutating func readOnInWindow(_ window: ListWindow) {
    guard running == nil, failed == nil, !window.isStalled, let viewport = window.viewport else { return }
    let place: Place
    if let key = nextKey, viewport.upperBound + window.settings.margin >= window.list.count {
      place = .after(key)
    } else if let key = previousKey, viewport.lowerBound <= window.settings.margin {
      place = .before(key)
    } else {
      return
    }
    self.window?.value.beginLoad()
    begin(window.trigger, place, true)
  }

  /// How many more rows are listed before a position than the source has there.
  private func editedRows(before position: Int) -> Int {
    guard let list = window?.value.list, let rows = live?.value.shown else { return 0 }
    let row = list.rows(in: 0..<position).upperBound
    return ItemList.splices(from: rows.all.rows, to: list.rows).reduce(-rows.uncounted(before: row)) { sum, splice in
      splice.start < row ? sum + splice.items.count - splice.deleteCount : sum
    }
  }

  /// Where the source has what stands at a position.
  private func sourcePosition(of position: Int) -> Int { max(0, position - editedRows(before: position)) }
}

extension PagedState.Place {
  /// Whether it is the first page, for whose sake all others go.
  var isFirst: Bool {
    switch self {
    case .first, .around(_, isFirst: true): true
    default: false
    }
  }

  /// Whether it is asked for because an item is there.
  var isAround: Bool { if case .around = self { true } else { false } }

  /// Whether it is asked for because a window is there, which holds rows that aren't read.
  var isForWindow: Bool {
    switch self {
    case .at, .kept: true
    default: false
    }
  }

  /// Whether it is the page at an end.
  var isFurther: Bool {
    switch self {
    case .after, .before: true
    default: false
    }
  }

  /// Whether it was let go.
  var isKept: Bool { if case .kept = self { true } else { false } }

  /// Whether it goes after what is listed.
  var isAtEnd: Bool { if case .before = self { false } else { true } }

  /// The key under which the source has it.
  var key: RawJSON? {
    switch self {
    case .first: nil
    case .after(let key), .before(let key): key
    case .again(let key, _), .kept(let key): key
    case .at, .around: nil
    }
  }
}

extension Page {
  /// Whether there is no page beyond it, whatever it says: it has no items.
  var isLast: Bool { items.isEmpty && failures.isEmpty }

  /// Where it belongs that was asked for at a place: around an item it takes the place of what is listed, unless it says
  /// where it stands.
  fileprivate func place(_ asked: PagedState.Place) -> PagedState.Place {
    if case .around(let id, _) = asked, position == nil { .around(id, isFirst: true) } else { asked }
  }
}

extension RawItems {
  /// The id of an item as it is written.
  fileprivate func idText(at position: Int) -> String {
    String(decoding: bytes[slices[position].idRange], as: UTF8.self)
  }
}

extension LoadFailure {
  /// Two items of one page had the same id.
  fileprivate init(repeated id: String) {
    self.init(.badRecord, "the id \(id) is twice on one page; the later item is listed; give each an id of its own")
  }
}
