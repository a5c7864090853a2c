internal import Flow
internal import WireJSON

/// The loads of a list: the one that runs, the one that failed, and what is reported of the newest.
///
/// - At most one of ``running`` and ``failed`` is set.
/// - ``phase`` is `requesting` exactly while a load runs, once the step has settled.
struct Loads {
  private(set) var running: Load?
  /// The newest load, if it failed.
  private(set) var failed: Load?
  private(set) var phase = LoadPhase.nothing
  /// What made the newest load begin, and whether its failure is named by that.
  private(set) var newest = (trigger: LoadTrigger.appear, isNamed: false)
  /// A new one after each load that begins or ends, and each failure.
  private(set) var revision = 0
  var failures = StandingFailures()
  /// What was wrong with the earlier pages of the running load.
  var pageFailures: [LoadFailure] = []
  /// Whether the first page of a search is awaited.
  private(set) var isSearching = false
  private(set) var answeredQueries = 0
  /// The keys of the pages beyond both ends; nil where there is none.
  var keys: (next: RawJSON?, previous: RawJSON?)
  /// The last page, if more items may follow its own later.
  var openPage: OpenPage?
  /// Whether a reload or a first page failed and nothing has happened since that would be a reason to try again.
  var isReloadHeld = false
  /// How many pages in a row had no items, although each had a key for another one.
  private var emptyPages = 0
  /// The page that comes after an empty one; nil if the last page wasn't empty.
  private(set) var pageAfterEmptyOne: PageOrigin?
  /// How many empty pages are followed at most.
  static let mostEmptyPages = 10
  /// How many loads were begun in a row because the list was empty.
  var loadsOfEmptyList = 0
  /// Whether a load has ended, and whether its page was the last isn't decided yet.
  private(set) var hasEnded = false

  /// Begins a load. The one before it has ended.
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

  /// Goes on with another page of the same load.
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

  /// A first page came, which answers a search if one awaits it.
  mutating func receiveFirstPage() {
    if isSearching { answeredQueries += 1 }
    isSearching = false
  }

  var isFollowingEmptyPages: Bool { pageAfterEmptyOne != nil }

  /// Records a page: an empty one with the page that comes after it, others with nil. Returns false if there were too many
  /// empty ones in a row.
  mutating func receive(_ next: PageOrigin?) -> Bool {
    emptyPages = next == nil ? 0 : emptyPages + 1
    pageAfterEmptyOne = next
    if emptyPages < Loads.mostEmptyPages { return true }
    (emptyPages, pageAfterEmptyOne) = (0, nil)
    return false
  }

  /// Settles how far the load that has ended got.
  mutating func decidePhase(hasMore: Bool) {
    guard hasEnded else { return }
    (hasEnded, phase) = (false, hasMore ? .requestFinished : .reachedBottom)
  }

  mutating func touch() { revision = UniqueNumber.next() }

  /// The page that a trigger asks for now, if any. `reloads` says whether a refresh loads the rows again where they are.
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

  /// Whether the rows are still those of other criteria, because the first page of these is awaited, or has failed.
  private var isFirstMissing: Bool {
    if case .first? = running?.origin { return true }
    if case .first? = failed?.origin { return true }
    return false
  }

  /// A page beyond an end; the first page if that failed, and none while a load runs.
  private func further(_ origin: PageOrigin?) -> PageOrigin? {
    guard running == nil else { return nil }
    return failed?.origin.isFirst == true ? .first : origin
  }
}

/// The failures of a list that haven't been replaced or resolved.
struct StandingFailures {
  /// The newest failure of a load or an edit.
  private(set) var newest: Failure?
  /// Whether it is an edit's.
  private(set) var isRefusal = false
  /// Whether it is of this step. A load that begins because of it doesn't clear it.
  private var isNew = false
  /// The failure of the watch, until a watch is answered.
  var watch: Failure?

  /// The one that is shown.
  var shown: Failure? { newest ?? watch }

  mutating func set(_ failure: Failure, isRefusal: Bool = false) {
    (newest, self.isRefusal, isNew) = (failure, isRefusal, true)
  }

  /// Clears the failure of an earlier step.
  mutating func clear() { if !isNew { (newest, isRefusal) = (nil, false) } }

  /// Clears an edit's failure. Returns whether there was one.
  mutating func clearRefusal() -> Bool {
    guard isRefusal else { return false }
    (newest, isRefusal, isNew) = (nil, false, false)
    return true
  }

  mutating func settle() { isNew = false }
}
