import Flow
import ItemList
import Nagare
import Paging
import Randomness
import WireJSON

/// A list, and a source that answers it, during a sequence of random steps.
final class RandomDay {
  struct State { var list: Paged<RawJSON> }

  /// A violation that a check found.
  struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  struct PageAsk {
    let number: Int
    let request: PageRequest
    let trigger: LoadTrigger
    let subject: PublishSubject<Page<RawJSON>>
    let report: (RunReport) -> Void
    /// The page at the time of the request.
    var whenAsked: SourcePage?
    /// When the page was requested, or requested again.
    var asked: Int
    /// How many changes the source had made at that time.
    let sourceChanges: Int
  }

  struct EditAsk {
    let number: Int
    let edit: Edit<RawJSON>
    let subject: PublishSubject<Void>
    /// Whether the source has made the edit without answering yet; nil if it hasn't tried.
    var isMade: Bool?
  }

  struct WatchAsk {
    let request: WatchRequest
    let subject: PublishSubject<SourceChanges<RawJSON>>
    var isAnswered = false
  }

  /// The most requests for pages before the list must be idle.
  static let mostRequests = 150

  let settings: RandomDaySettings
  let clock = VirtualScheduler()
  let feedback: Feedback<State>
  let sections: Driver<[ListSection]>
  var source: RandomSource
  var pages: [PageAsk] = []
  var edits: [EditAsk] = []
  var watch: WatchAsk?
  /// The reports of the source that haven't arrived.
  var notices: [SourceNotice] = []
  /// Whether a report was lost, and none has arrived since that would show this to the list.
  var hasLost = false
  var expected: DayExpectation
  var requests = 0
  /// Counts events, so that their times can be compared.
  var time = 0
  /// The first row in sight, while only changes and pages of the source can move it; nil otherwise.
  var anchor: ItemID?
  var marksBefore: (ids: [ItemID], all: Bool, listed: Set<ItemID>)?
  /// Whether the user has marked, unmarked or edited marked items in this step.
  var hasMarked = false
  var markFault: String?
  /// The rows that the source has reported changes of since the last check of an idle list.
  var gone: Set<Int> = []
  private let act = Trigger()
  private var action: ((inout State) throws -> Void)?
  private let bag = DisposeBag()
  var trace: ((String) -> Void)?

  var list: Paged<RawJSON> { feedback.state.list }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    settings = RandomDaySettings(using: &random)
    source = RandomSource(settings, using: &random)
    expected = DayExpectation(settings)
    feedback = Feedback(State(list: settings.makeList()), on: clock)
    sections = feedback.list.sections(by: SectionRule(by: "group"))
    feedback.on(act) { [unowned self] state in try action?(&state) }
    if settings.isLive { feedback.follow(\.list) { [unowned self] in follow($0) } }
    feedback.react(to: \.list) { [unowned self] request, report in ask(request, report) }
    feedback.react(to: \.list.edits) { [unowned self] in ask($0) }
    feedback.list.shown.subscribe { _ in }.disposed(by: bag)
    sections.subscribe { _ in }.disposed(by: bag)
  }

  /// Performs an action of the user. Returns false if it is refused.
  @discardableResult
  func user(_ action: @escaping (inout State) throws -> Void) -> Bool {
    self.action = action
    defer { self.action = nil }
    do {
      try act.send()
      return true
    } catch {
      trace?("  refused: \(error)")
      return false
    }
  }

  private func ask(_ request: PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>> {
    (time, requests) = (time + 1, requests + 1)
    let trigger = list.trigger
    if expected.isReload(trigger) { anchor = nil }
    let subject = PublishSubject<Page<RawJSON>>()
    source.criteria = request.criteria
    pages.append(
      PageAsk(
        number: time, request: request, trigger: trigger, subject: subject, report: report,
        whenAsked: source.page(request), asked: time, sourceChanges: expected.sourceChanges))
    expected.begin(request, trigger, time: time)
    let description =
      "key \(request.key?.description ?? "-") at \(request.position ?? -1) around \(request.around?.description ?? "-")"
    trace?("  asked: \(trigger) \(description) size \(request.size) \(request.query ?? "")")
    let late = Observable<Page<RawJSON>>.deferred { [unowned self] in
      expected.come()
      expected.fail(LoadFailure.Code.timeout.rawValue)
      return .error(LoadFailure(.timeout, "no page came", isRetryable: true))
    }
    return subject.timeout(.seconds(30), other: late, on: clock)
  }

  private func ask(_ edit: Edit<RawJSON>) -> Observable<Void> {
    time += 1
    let number = time
    let subject = PublishSubject<Void>()
    edits.append(EditAsk(number: number, edit: edit, subject: subject))
    expected.begin(edit, number: number)
    trace?("  asked: edit \(edit)")
    let late = Observable<Void>.deferred { [unowned self] in
      expected.come()
      expected.answer(number, made: nil, failure: LoadFailure.Code.timeout.rawValue)
      return .error(LoadFailure(.timeout, "no answer came", isRetryable: true))
    }
    return subject.timeout(.seconds(30), other: late, on: clock)
  }

  private func follow(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>> {
    requests += 1
    trace?("  asked: watch since \(request.state ?? "-") \(request.query ?? "")")
    let subject = PublishSubject<SourceChanges<RawJSON>>()
    source.criteria = request.criteria
    expected.watch(request)
    (watch, notices, hasLost) = (WatchAsk(request: request, subject: subject), [], false)
    return subject.asObservable()
  }

  /// Queues a report of the source, if it is watched.
  func tell(_ notice: SourceNotice) {
    expected.sourceChanges += 1
    if settings.isLive, watch?.isAnswered == true { notices.append(notice) }
  }

  func deliver() {
    guard let watch, watch.isAnswered, !notices.isEmpty else { return }
    expected.come()
    let notice = notices.removeFirst()
    hear(notice.changes)
    trace?("  told: \(notice.since) → \(notice.state): \(notice.changes)")
    hasLost = false
    let hasStates = settings.reports == .withStates
    if notice.isEverything {
      return watch.subject.onNext(
        .everything(
          since: hasStates ? "\(notice.since)" : nil, state: hasStates ? "\(notice.state)" : nil, total: notice.total))
    }
    if let failure = notice.failures.first { expected.fail(failure.code) }
    watch.subject.onNext(
      SourceChanges(
        notice.changes.map(\.told), since: hasStates ? "\(notice.since)" : nil,
        state: hasStates ? "\(notice.state)" : nil,
        total: notice.total, failures: notice.failures))
  }

  private func hear(_ changes: [ToldChange]) {
    gone.formUnion(changes.map(\.row))
    if let anchor, gone.contains(DayExpectation.number(anchor)) { self.anchor = nil }
  }

  /// Answers an unanswered watch, with the changes since the state that it names.
  func answerWatch() {
    guard let watch, !watch.isAnswered else { return }
    self.watch?.isAnswered = true
    expected.answerWatch(time: time)
    guard settings.reports == .withStates else { return watch.subject.onNext(SourceChanges()) }
    let old = watch.request.state.flatMap { Int($0) }
    guard let missed = source.notices(since: old ?? source.state) else {
      trace?("  told: nobody knows what has happened since \(old ?? -1)")
      self.watch = nil
      return watch.subject.on(.error(LoadFailure(.unknownState, "nobody knows")))
    }
    trace?("  told: watched from \(source.state) on, \(missed.flatMap(\.changes))")
    hear(missed.flatMap(\.changes))
    watch.subject.onNext(
      SourceChanges(
        missed.flatMap(\.changes).map(\.told), since: old.map(String.init), state: "\(source.state)",
        total: missed.last?.total))
  }

  func breakWatch(_ value: Int) {
    guard let watch else { return }
    let hasState = settings.reports == .withStates && !watch.isAnswered && watch.request.state != nil
    let failure =
      switch value % 5 {
      case 0: LoadFailure(.timeout, "no answer to the watch", isRetryable: true)
      case 1: LoadFailure(.malformedResponse, "no answer of use", isRetryable: true)
      case 2 where hasState: LoadFailure(.unknownState, "nobody knows")
      case 3 where value % 3 == 0: LoadFailure(.unreachable, "not watched any more")
      default: LoadFailure(.unreachable, "the program has ended", isRetryable: true)
      }
    trace?("  watch broken: \(failure)")
    self.watch = nil
    notices = []
    expected.failWatch(failure, time: time)
    watch.subject.on(.error(failure))
  }

  /// Delivers all reports before a page's answer, for a source without states. Both use the same connection, so their
  /// order stays.
  private func deliverInOrder() {
    guard settings.reports == .withoutStates else { return }
    answerWatch()
    while watch?.isAnswered == true, !notices.isEmpty { deliver() }
  }

  /// Answers the request for a page.
  ///
  /// - Parameters:
  ///   - index: which of the open requests.
  ///   - way: how it is answered; 0 is the correct answer.
  func answerPage(_ index: Int, way: Int) {
    deliverInOrder()
    prune()
    expected.come()
    guard pages.indices.contains(index) else { return }
    let ask = pages[index]
    source.criteria = ask.request.criteria
    switch way {
    case 1: return fail(index, LoadFailure(code: 7, message: "broken", isRetryable: true))
    case 2: return fail(index, LoadFailure(code: 8, message: "wrong"))
    case 3:
      // A failed attempt, after which the page is requested again. The new page contains all edits that were made by
      // now.
      time += 1
      (pages[index].asked, pages[index].whenAsked) = (time, source.page(ask.request))
      expected.retryPage(time: time)
      trace?("  retried")
      return ask.report(.retried)
    default: break
    }
    let isLate = way == 4 && settings.reports != .withoutStates
    let extra = way == 5 ? -2 : way == 6 ? 3 : 0
    guard var answer = isLate ? ask.whenAsked : source.page(ask.request, extra: extra) else {
      return fail(index, LoadFailure(.noSuchItem, "there is no such item"))
    }
    if way == 7, answer.rows.count > 1, !settings.tellsTotal, !settings.hasPositions {
      var old = answer.rows[0]
      old.version -= 1
      answer.page.items = SourcePage.items([old] + answer.rows.dropFirst() + [answer.rows[0]])
      expected.fail(LoadFailure.Code.badRecord.rawValue)
    }
    if way == 8, settings.hasPositions, ask.request.position != nil {
      answer.page.position = nil
      pages.remove(at: index)
      expected.fail(LoadFailure.Code.malformedResponse.rawValue)
      trace?("  answered without its position")
      return ask.subject.onNext(answer.page)
    }
    pages.remove(at: index)
    trace?(
      "  answered \(isLate ? "late " : "")state \(answer.page.state ?? "-"): \(answer.rows.map(\.number)) \(answer.page.next?.description ?? "-") \(answer.page.previous?.description ?? "-")"
    )
    expected.take(answer, ask)
    if expected.isReload(ask.trigger) || ask.request.key == nil { anchor = nil }
    expected.taken = ask.trigger
    ask.subject.onNext(answer.page)
    expected.taken = nil
    ask.subject.onNext(answer.page)
    expected.endReload(
      isGoingOn: pages.contains { $0.trigger == ask.trigger && $0.number > ask.number }, ask.request.criteria)
  }

  private func fail(_ index: Int, _ failure: LoadFailure) {
    expected.come()
    let ask = pages.remove(at: index)
    trace?("  failed: \(failure.code)")
    expected.fail(failure.code)
    ask.subject.on(.error(failure))
  }

  func answerEdit(_ index: Int, way: Int) {
    guard edits.indices.contains(index) else { return }
    let ask = edits[index]
    time += 1
    expected.come()
    if ask.isMade == nil, way != 1 {
      if settings.reports == .withoutStates { answerWatch() }
      let notice = source.make(ask.edit)
      edits[index].isMade = notice != nil
      if let notice { tell(notice) }
      if way == 2 { return }
    }
    let isMade = edits[index].isMade ?? false
    edits.remove(at: index)
    trace?("  edit \(ask.number) \(isMade ? "made" : "refused")")
    expected.answer(ask.number, made: isMade ? time : nil, failure: 9)
    ask.subject.on(isMade ? .completed : .error(LoadFailure(code: 9, message: "refused")))
    if settings.reports == .withoutStates, isMade, way == 3 { deliver() }
  }

  /// Forgets requests that nobody waits for any more.
  func prune() {
    pages.removeAll { !$0.subject.hasObservers }
    edits.removeAll { !$0.subject.hasObservers }
    if let watch, !watch.subject.hasObservers { self.watch = nil }
  }
}
