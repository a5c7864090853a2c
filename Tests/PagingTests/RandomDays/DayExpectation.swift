import Flow
import ItemList
import Paging
import WireJSON

/// The expected properties of a list, derived from the requests to the source and its answers.
struct DayExpectation {
  /// Where the loaded rows end.
  enum End: Equatable {
    case unknown
    /// There is nothing more.
    case open
    /// At a place of the source's table.
    case place(Int)
  }

  let settings: RandomDaySettings
  private(set) var failure: (code: Int, isOfEdit: Bool)?
  private(set) var watchFailure: Int?
  /// Whether a load began in the same step in which a page with a wrong record arrived. Either may have been last, so
  /// the expected failure is unknown.
  private(set) var isFailureUnsure = false
  /// Whether the source has stopped reporting changes permanently.
  private(set) var isDeaf = false
  /// Whether the list may have missed changes, which it can't notice before a first page.
  var isBehind: Bool { missed != nil }
  /// The time at which changes may have been missed.
  private var missed: Int?
  /// Whether a watch without states has failed, and no later watch was confirmed.
  private var isUnwatched = false
  /// The criteria of the listed rows; nil if none were loaded.
  private(set) var held: Criteria?
  private(set) var lower = End.unknown
  private(set) var upper = End.unknown
  var plain = PlainList()
  /// Whether many items were edited at once, which the plain list can't reproduce.
  var isPlainUnsure = false
  /// The rows with edits that only the list made. A live source doesn't have these edits.
  var touched: Set<Int> = []
  /// Whether the list alone edited rows that the test can't name.
  var isTouched = false
  var sourceChanges = 0
  /// The value of `sourceChanges` when the first page of the rows was requested.
  private(set) var changesAtFirst = 0
  private var watched: Criteria?
  private var chain: [(rows: [SourceRow], asked: Int)] = []
  private var hasReloadFailed = false
  /// Whether a reload of the rows failed.
  private(set) var isStale = false
  private var current = LoadTrigger.appear
  private(set) var chainLength = 0
  /// Counts the messages of the source. Failures and loads of the same message may come in any order.
  private var moment = 0
  private var failed = -1
  /// The trigger of the load whose page is being received; nil otherwise.
  var taken: LoadTrigger?

  init(_ settings: RandomDaySettings) { self.settings = settings }

  var failureCode: Int? { failure?.code ?? watchFailure }

  /// Whether a load reloads the listed rows.
  func isReload(_ trigger: LoadTrigger) -> Bool {
    switch trigger {
    case .invalidated: true
    case .refresh: settings.onRefresh == .revalidate
    case .retry: hasReloadFailed
    default: false
    }
  }

  mutating func begin(_ request: PageRequest, _ trigger: LoadTrigger, time: Int) {
    current = trigger
    // A load that continues with another page, or requests its page again, is the same load. If the source has
    // positions, other pages load while a failure stands.
    let isGoingOn = taken == trigger
    isFailureUnsure =
      failed == moment || failure != nil && (isGoingOn || settings.hasPositions) || taken != nil && isFailureUnsure
    failure = nil
    if isGoingOn { (lower, upper) = (.unknown, .unknown) } else { plain.beginLoad(at: time) }
    plain.criteria = request.criteria
    if trigger != .retry {
      hasReloadFailed = trigger == .invalidated || trigger == .refresh && settings.onRefresh == .revalidate
    }
    if !isReload(trigger) { chain = [] }
    if settings.onRefresh == .clear, trigger == .refresh || trigger == .search || trigger == .filter {
      plain.empty()
      (held, lower, upper) = (nil, .unknown, .unknown)
    }
  }

  mutating func fail(_ code: Int) {
    (failure, failed, isFailureUnsure) = ((code, false), moment, false)
    if code == LoadFailure.Code.badRecord.rawValue { return }
    isStale = isStale || isReload(current)
    chain = []
    plain.endLoad()
  }

  /// Records that a message of the source arrives.
  mutating func come() { moment += 1 }

  /// Records the page that is about to arrive.
  mutating func take(_ answer: SourcePage, _ ask: RandomDay.PageAsk) {
    if isReload(ask.trigger) {
      if ask.request.key == nil { chain = [] }
      chain.append((answer.rows, ask.asked))
      (lower, upper) = (.unknown, .unknown)
      return
    }
    func end(_ place: Int?) -> End { place.map(End.place) ?? .open }
    let key = ask.request.key.flatMap { Int($0.description) }
    let isSpecial = ask.request.position != nil || ask.request.around != nil
    if settings.hasPositions, isSpecial { return }
    let place: PlainList.Place = key.map { $0 % 2 == 0 ? .next : .previous } ?? .first
    plain.take(answer.rows, place, asked: ask.asked)
    if place != .previous { upper = end(answer.next) }
    if place != .next { lower = end(answer.previous) }
    if place == .first {
      (held, changesAtFirst, isStale) = (ask.request.criteria, ask.sourceChanges, false)
      if ask.asked > missed ?? 0 { missed = nil }
    }
  }

  /// Records that a page has arrived, and whether its reload continues.
  mutating func endReload(isGoingOn: Bool, _ criteria: Criteria) {
    if isGoingOn || chain.isEmpty { return }
    plain.take(chain)
    chain = []
    (held, changesAtFirst, isStale) = (criteria, -1, false)
  }

  mutating func begin(_ edit: Edit<RawJSON>, number: Int) {
    if failure?.isOfEdit == true { failure = nil }
    sourceChanges += 1
    switch edit {
    case .insert(let json, let next):
      plain.make(.insert(SourceRow(json), before: next.map(Self.number)), number: number, made: nil)
    case .update(let json): plain.make(.change(SourceRow(json)), number: number, made: nil)
    case .remove(let id): plain.make(.remove(Self.number(id)), number: number, made: nil)
    case .marked: isPlainUnsure = true
    }
  }

  /// The number of a row, given its id.
  static func number(_ id: ItemID) -> Int { Int(id.description.filter(\.isNumber)) ?? -1 }

  mutating func answer(_ number: Int, made: Int?, failure code: Int) {
    if made == nil { (failure, failed, isFailureUnsure) = ((code, true), moment, false) }
    plain.answer(number, made: made)
  }

  /// The user retries a failed load. A load that isn't needed any more begins and ends in one step.
  mutating func retry() { if settings.window != nil { isFailureUnsure = true } }

  mutating func watch(_ request: WatchRequest) {
    if watched != request.criteria { watchFailure = nil }
    (watched, isDeaf) = (request.criteria, false)
  }

  /// Records an edit that the list made alone. It isn't specified which pages of a reload undo it.
  mutating func make(_ kind: PlainList.Edit.Kind, time: Int) {
    plain.make(kind, number: -1, made: time, isOwn: true)
    if !chain.isEmpty { isPlainUnsure = true }
  }

  mutating func answerWatch(time: Int) {
    watchFailure = nil
    if isUnwatched { (missed, isUnwatched) = (time, false) }
  }

  /// The page is requested again after a failure.
  mutating func retryPage(time: Int) {
    // The pages of the reload now contain different edits.
    if isReload(current) { isPlainUnsure = true } else { plain.beginLoad(at: time) }
  }

  mutating func failWatch(_ failure: LoadFailure, time: Int) {
    // Without states, changes are missed until a watch is confirmed.
    if settings.reports == .withoutStates { (missed, isUnwatched) = (time, true) }
    let isOfWatch =
      failure.code == LoadFailure.Code.timeout.rawValue || failure.code == LoadFailure.Code.malformedResponse.rawValue
    if failure.isRetryable {
      if isOfWatch { watchFailure = failure.code }
    } else {
      isDeaf = failure.code != LoadFailure.Code.unknownState.rawValue
    }
  }
}
