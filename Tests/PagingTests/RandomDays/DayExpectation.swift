import Flow
import ItemList
import Paging
import WireJSON

/// What is expected of a list by what the source was asked and has answered.
struct DayExpectation {
  /// Where the rows that were loaded end.
  enum End: Equatable {
    case unknown
    /// There is nothing more.
    case open
    /// At a place of the source's.
    case place(Int)
  }

  let settings: RandomDaySettings
  private(set) var failure: (code: Int, isOfEdit: Bool)?
  private(set) var watchFailure: Int?
  /// Whether a load has begun in the step in which a page with a wrong record came: either may have been last.
  private(set) var isFailureUnsure = false
  /// Whether the source won't tell any more.
  private(set) var isDeaf = false
  /// Whether something may have been missed that nobody can notice before a first page.
  var isBehind: Bool { missed != nil }
  /// When something may have been missed.
  private var missed: Int?
  /// Whether a watch without states has failed and isn't answered again.
  private var isUnwatched = false
  /// What the rows that are listed were looked for by; nil where none were read.
  private(set) var held: Criteria?
  private(set) var lower = End.unknown
  private(set) var upper = End.unknown
  var plain = PlainList()
  /// Whether edits of many were made, which the plain list can't work out.
  var isPlainUnsure = false
  /// The rows with edits that are the list's own: a live source says otherwise.
  var touched: Set<Int> = []
  /// Whether own edits were made of rows that nobody can name.
  var isTouched = false
  var sourceChanges = 0
  /// The value of `sourceChanges` when the rows began to be read.
  private(set) var changesAtFirst = 0
  private var watched: Criteria?
  private var chain: [(rows: [SourceRow], asked: Int)] = []
  private var hasReloadFailed = false
  /// Whether the rows weren't read again although they should have been, as that failed.
  private(set) var isStale = false
  private var current = LoadTrigger.appear
  private(set) var chainLength = 0
  /// How often something has come from the source. What fails and begins at one such moment has no order.
  private var moment = 0
  private var failed = -1
  /// What began the load whose page is just coming.
  var taken: LoadTrigger?

  init(_ settings: RandomDaySettings) { self.settings = settings }

  var failureCode: Int? { failure?.code ?? watchFailure }

  /// Whether a load reads again what is listed.
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
    // A load that goes on with another page, or asks for its page again, is the same load. Where the source has positions,
    // other pages are read while a failure stands.
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

  /// Something comes from the source.
  mutating func come() { moment += 1 }

  /// A page is about to come.
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

  /// A page has come.
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

  /// The number of a row, by its id.
  static func number(_ id: ItemID) -> Int { Int(id.description.filter(\.isNumber)) ?? -1 }

  mutating func answer(_ number: Int, made: Int?, failure code: Int) {
    if made == nil { (failure, failed, isFailureUnsure) = ((code, true), moment, false) }
    plain.answer(number, made: made)
  }

  /// The user asks for what has failed. What isn't wanted any more begins and ends in one step.
  mutating func retry() { if settings.window != nil { isFailureUnsure = true } }

  mutating func watch(_ request: WatchRequest) {
    if watched != request.criteria { watchFailure = nil }
    (watched, isDeaf) = (request.criteria, false)
  }

  /// The list alone has made an edit. Which of the pages of a reload undo it isn't said.
  mutating func make(_ kind: PlainList.Edit.Kind, time: Int) {
    plain.make(kind, number: -1, made: time, isOwn: true)
    if !chain.isEmpty { isPlainUnsure = true }
  }

  mutating func answerWatch(time: Int) {
    watchFailure = nil
    if isUnwatched { (missed, isUnwatched) = (time, false) }
  }

  /// A page is asked for again, after a failure.
  mutating func retryPage(time: Int) {
    // The pages of one reload know different edits then.
    if isReload(current) { isPlainUnsure = true } else { plain.beginLoad(at: time) }
  }

  mutating func failWatch(_ failure: LoadFailure, time: Int) {
    // Nobody can tell what has happened until the watch is answered where there are no states.
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
