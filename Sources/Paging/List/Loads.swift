internal import Flow
internal import WireJSON

/// The loads of a list: the running load, the failed load, and the properties of the newest load that the list reports.
///
/// - At most one of ``running`` and ``failed`` is set.
/// - At the end of a step, ``phase`` is `requesting` exactly while a load runs.
struct Loads {
  private(set) var running: Load?
  /// The newest load, if it failed.
  private(set) var failed: Load?
  private(set) var phase = LoadPhase.nothing
  /// The trigger of the newest load, and whether its failure has the trigger's name.
  private(set) var newest = (trigger: LoadTrigger.appear, isNamed: false)
  /// Changes whenever a load begins or ends, and with each failure.
  private(set) var revision = 0
  var failures = StandingFailures()
  /// The failures in earlier pages of the running load.
  var pageFailures: [LoadFailure] = []
  /// Whether the first page of a search is loading.
  private(set) var isSearching = false
  private(set) var answeredQueries = 0
  /// The keys of the pages beyond both ends; nil if there is none.
  var keys: (next: RawJSON?, previous: RawJSON?)
  /// The last page, if more items may follow its items later; nil otherwise.
  var openPage: OpenPage?
  /// Whether a reload or a first page failed, and nothing has happened since that justifies another attempt.
  var isReloadHeld = false
  /// How many empty pages came in a row, each with a key for another page.
  private var emptyPages = 0
  /// The page to load next because the last page was empty; nil if it wasn't.
  private(set) var pageAfterEmptyOne: PageOrigin?
  /// The most empty pages in a row. After these, the load fails.
  static let mostEmptyPages = 10
  /// How many loads in a row began because the list was empty.
  var loadsOfEmptyList = 0
  /// Whether a load has ended without a failure, and ``phase`` isn't updated yet.
  private(set) var hasEnded = false

  /// Begins a load. The load before it must have ended.
  mutating func begin(_ load: consuming Load) {
    isSearching = isSearching || load.trigger == .search
    if pageAfterEmptyOne == nil { emptyPages = 0 }
    pageAfterEmptyOne = nil
    load.number = UniqueNumber.next()
    newest = (load.trigger, load.isNamed)
    running = load
    touch()
    failed = nil
    failures.clear()
    phase = .requesting
    hasEnded = false
  }

  /// Continues the running load with another page.
  mutating func proceed(to origin: PageOrigin, tries: Int) {
    guard var load = running else { return }
    (load.number, load.origin, load.tries, load.progress) = (UniqueNumber.next(), origin, tries, nil)
    running = load
    touch()
  }

  mutating func end() {
    touch()
    hasEnded = hasEnded || running != nil
    running = nil
    pageFailures = []
  }

  mutating func fail(_ load: Load) { (failed, phase, hasEnded) = (load, .failed, false) }

  mutating func report(_ progress: LoadProgress?) { running?.progress = progress }

  /// Records that a first page came. It completes a search, if one is running.
  mutating func receiveFirstPage() {
    if isSearching { answeredQueries += 1 }
    isSearching = false
  }

  var isFollowingEmptyPages: Bool { pageAfterEmptyOne != nil }

  /// Records a page. For an empty page, `next` is the page to load after it; for others it is nil. Returns false if
  /// there were too many empty pages in a row.
  mutating func receive(_ next: PageOrigin?) -> Bool {
    emptyPages = next == nil ? 0 : emptyPages + 1
    pageAfterEmptyOne = next
    if emptyPages < Loads.mostEmptyPages { return true }
    (emptyPages, pageAfterEmptyOne) = (0, nil)
    return false
  }

  /// Updates ``phase`` after a load has ended.
  mutating func decidePhase(hasMore: Bool) {
    guard hasEnded else { return }
    (hasEnded, phase) = (false, hasMore ? .requestFinished : .reachedBottom)
  }

  mutating func touch() { revision = UniqueNumber.next() }

  /// The page that a trigger requests in the current situation; nil if none. `reloads` means that a refresh reloads the
  /// listed rows, rather than the first page.
  func origin(for trigger: LoadTrigger, reloads: Bool) -> PageOrigin? {
    switch trigger {
    case .appear: phase == .nothing ? .first : nil
    case .refresh: reloads && !isFirstMissing ? .reload(.fromStart) : .first
    case .search, .filter: .first
    case .retry: running == nil ? failed?.origin : nil
    case .invalidated, .viewport, .jump: nil
    case .reachBottom, .loadMore: further(keys.next.map(PageOrigin.after) ?? openPage.map { .open($0.key) })
    case .reachTop: further(keys.previous.map(PageOrigin.before))
    }
  }

  /// Whether the first page is loading or has failed, so that the listed rows may belong to earlier criteria.
  private var isFirstMissing: Bool {
    if case .first? = running?.origin { return true }
    if case .first? = failed?.origin { return true }
    return false
  }

  /// The page beyond an end. If the first page failed, it is requested instead. Nil while a load runs.
  private func further(_ origin: PageOrigin?) -> PageOrigin? {
    guard running == nil else { return nil }
    return failed?.origin.isFirst == true ? .first : origin
  }
}

/// The failures of a list that haven't been replaced or resolved.
struct StandingFailures {
  /// The newest failure of a load or an edit.
  private(set) var newest: Failure?
  /// Whether ``newest`` is the failure of an edit.
  private(set) var isRefusal = false
  /// Whether ``newest`` occurred in the current step. A load that begins in the same step doesn't clear it.
  private var isNew = false
  /// The failure of the watch, until a watch is confirmed.
  var watch: Failure?

  /// The failure that the list shows.
  var shown: Failure? { newest ?? watch }

  mutating func set(_ failure: Failure, isRefusal: Bool = false) {
    (newest, self.isRefusal, isNew) = (failure, isRefusal, true)
  }

  /// Clears ``newest``, unless it occurred in the current step.
  mutating func clear() { if !isNew { (newest, isRefusal) = (nil, false) } }

  /// Clears an edit's failure. Returns whether there was one.
  mutating func clearRefusal() -> Bool {
    guard isRefusal else { return false }
    (newest, isRefusal, isNew) = (nil, false, false)
    return true
  }

  mutating func settle() { isNew = false }
}
