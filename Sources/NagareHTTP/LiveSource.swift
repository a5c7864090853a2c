internal import Flow
internal import HTTPSettings
internal import ItemList
internal import Paging
internal import RPC
internal import WireJSON

/// How the items of a web server change: what the server tells by events, or what its first page says again and again.
final class LiveSource {
  /// Who waits to hear whether the server tells.
  private final class Waiter {
    let since: String?
    let answer: (RPCError?) -> Void

    init(_ since: String?, _ answer: @escaping (RPCError?) -> Void) { (self.since, self.answer) = (since, answer) }
  }

  /// What somebody watches.
  private final class Watch {
    let source: String
    let request: WatchRequest
    var waiters: [Waiter] = []
    /// What goes on: a pause, a page that is asked for, or a connection.
    let work = SerialDisposable()
    /// The first page that was told last; nil before one was asked for.
    var first: FirstPage?
    /// Whether a first page is asked for, or was.
    var isAsked = false
    /// Whether the server tells, or has said that it doesn't.
    let isReady = BehaviorRelay(false)
    /// Whether a page was given before the server told.
    var isBehind = false
    /// When the server was asked to report changes.
    var begun = Duration.zero
    /// How many watches of the same in a row ended within a second.
    var consecutiveFailures = 0
    /// The id of the last event.
    var lastID: String?
    /// How many connections in a row have ended before an event came.
    var failures = 0
    /// How long to wait before the server is asked again.
    var retry = Duration.milliseconds(500)
    /// Has what was held go on. False if nothing was.
    var resume: () -> Bool = { false }

    init(_ params: SourceWatchParams) {
      (source, request) = (params.source, params.request)
      lastID = request.state
    }

    /// Answers those who wait.
    func answer(_ error: RPCError? = nil) {
      isReady.accept(true)
      let waiters = waiters
      self.waiters = []
      for waiter in waiters { waiter.answer(error) }
    }
  }

  /// How long a page waits until the server reports changes, so that no change is missed between them.
  private static let readyTimeout = Duration.seconds(2)
  private static let longestPause = Duration.seconds(30)
  /// However soon the server wants to be asked again.
  private static let shortestPause = Duration.milliseconds(100)

  private let source: HTTPSource
  private let settings: HTTPLive
  private let clock: any Scheduler
  private let limit: Int
  private var watches: [Criteria: Watch] = [:]

  /// Whether so much waits to be sent that nothing more is asked for or read for now, until ``resume()``.
  var isHeld: () -> Bool = { false }
  /// Sends `source/changed` with these parameters.
  var say: (_ params: (inout JSONWriter) -> Void) -> Void = { _ in }

  /// Prepares to watch. The limit is for the bytes of an event.
  init(_ source: HTTPSource, _ settings: HTTPLive, limit: Int, on clock: any Scheduler) {
    (self.source, self.settings, self.limit, self.clock) = (source, settings, limit, clock)
  }

  /// Has what was held go on. False if nothing was.
  func resume() -> Bool {
    watches.values.reduce(false) { hasResumed, watch in watch.resume() || hasResumed }
  }

  /// Begins to watch. The answer is called once, when it is known whether the server tells. Gives what ends the waiting
  /// for it.
  func watch(_ params: SourceWatchParams, _ answer: @escaping (RPCError?) -> Void) -> () -> Void {
    let (criteria, waiter) = (params.request.criteria, Waiter(params.request.state, answer))
    let last = watches[criteria]
    if let last, waiter.since == nil {
      // What is told already tells what happens from now on, too.
      last.waiters.append(waiter)
      if last.isReady.value { last.answer() }
    } else {
      begin(Watch(params), waiter, after: last)
    }
    return { [self] in watches[criteria]?.waiters.removeAll { $0 === waiter } }
  }

  private func begin(_ watch: Watch, _ waiter: Waiter, after last: Watch?) {
    watch.begun = clock.now
    if let last {
      if watch.begun - last.begun < .seconds(1) { watch.consecutiveFailures = last.consecutiveFailures + 1 }
      last.work.dispose()
      // What they have missed is told by nobody any more.
      for other in last.waiters where other.since != nil { other.answer(.unknownState) }
      watch.waiters = last.waiters.filter { $0.since == nil }
      last.waiters = []
    }
    watch.waiters.append(waiter)
    watches[watch.request.criteria] = watch
    if let milliseconds = settings.poll {
      watch.answer()
      poll(watch, every: .milliseconds(milliseconds))
    } else if watch.consecutiveFailures > 1 {
      // A server that reports states which the list hasn't reached causes one gap after another.
      after(min(watch.retry * (1 << min(watch.consecutiveFailures - 2, 10)), LiveSource.longestPause), watch) {
        [self] in
        watch.begun = clock.now
        listen(watch)
      }
    } else {
      listen(watch)
    }
  }

  /// Ends a watch.
  func end(_ criteria: Criteria) {
    guard let watch = watches.removeValue(forKey: criteria) else { return }
    watch.work.dispose()
    watch.answer(.cancelled)
  }

  /// Ends all watches.
  func endAll() { for criteria in watches.keys { end(criteria) } }

  /// A page is asked for: emits when it may be, which is when the server tells, or after a while.
  func prepare(_ request: PageRequest) -> Observable<Void> {
    guard let watch = watches[request.criteria] else { return .just(()) }
    if request.key == nil { watch.isAsked = true }
    return watch.isReady.filter { $0 }.take(1).timeout(LiveSource.readyTimeout, other: .just(false), on: clock).map {
      isReady in
      if !isReady { watch.isBehind = true }
    }
  }

  /// Records a page that was answered.
  func record(_ page: HTTPPage, of request: PageRequest) {
    guard request.key == nil, settings.poll != nil, let watch = watches[request.criteria] else { return }
    watch.first = FirstPage(page, size: request.size, id: source.id)
  }

  private func after(_ pause: Duration, _ watch: Watch, _ action: @escaping () -> Void) {
    watch.work.disposable = clock.schedule(after: pause, action)
  }

  private func say(of watch: Watch, _ members: (inout JSONWriter) -> Void) {
    say { writer in
      writer.beginObject()
      writer.member("source", watch.source)
      writer.member("query", watch.request.query)
      if let filters = watch.request.filters { writer.member("filters", filters) }
      members(&writer)
      writer.endObject()
    }
  }

  private func sayEverything(of watch: Watch, since: String? = nil, state: String? = nil) {
    say(of: watch) { writer in
      if let since { writer.member("since", since) }
      if let state { writer.member("state", state) }
      writer.member("changes", "all".json)
    }
  }

  // MARK: - Asking again and again

  private func poll(_ watch: Watch, every interval: Duration) {
    after(interval, watch) { [self] in
      guard isHeld() else { return askAgain(watch) }
      watch.resume = { [self] in
        watch.resume = { false }
        askAgain(watch)
        return true
      }
    }
  }

  private func askAgain(_ watch: Watch) {
    let goOn = { [self] in poll(watch, every: .milliseconds(settings.poll ?? 0)) }
    guard let first = watch.first else {
      // Whoever asks for no page has one by an earlier run of this program.
      if !watch.isAsked {
        watch.isAsked = true
        sayEverything(of: watch)
      }
      return goOn()
    }
    watch.work.disposable = source.page(PageRequest(watch.request.criteria, size: first.size)).subscribe {
      [self] page in
      guard let newest = watch.first else { return }
      let found = FirstPage(page, size: first.size, id: source.id)
      watch.first = found
      if let changes = newest.changes(to: found) { say(of: watch, changes) }
    } onError: { _ in
      goOn()
    } onCompleted: {
      goOn()
    }
  }

  // MARK: - Listening

  private func listen(_ watch: Watch) {
    let stream = EventStream(limit: limit, lastID: watch.lastID, on: clock)
    stream.isHeld = { [unowned self] in isHeld() }
    stream.onWord = { [unowned self] word in
      switch word {
      case .opened: open(watch)
      case .found(.retry(let milliseconds)):
        watch.retry = min(max(.milliseconds(milliseconds), LiveSource.shortestPause), LiveSource.longestPause)
      case .found(.event(let event)):
        watch.failures = 0
        tell(event, of: watch)
        watch.lastID = event.id
      }
    }
    stream.onEnd = { [unowned self] end in listenAgain(watch, after: end) }
    watch.resume = { [weak stream] in stream?.resume() ?? false }
    watch.work.disposable = stream
    do throws(RPCError) {
      try source.connect(stream, watch.request.criteria, lastID: watch.lastID)
    } catch {
      listenAgain(watch, after: .refused(error.message))
    }
  }

  private func listenAgain(_ watch: Watch, after end: EventStream.End) {
    var isRefused = false
    if case .refused(let reason) = end {
      isRefused = true
      if !watch.isReady.value {
        // Who asks once more has the server asked once more.
        watches[watch.request.criteria] = nil
        return watch.answer(.malformedResponse("the events of \"live\" can't be received: \(reason)"))
      }
    }
    watch.failures += 1
    let pause = isRefused ? LiveSource.longestPause : watch.retry * (1 << min(watch.failures - 1, 10))
    let chance = 0.5 + source.chance() / 2
    after(max(watch.retry, min(pause, LiveSource.longestPause) * chance), watch) { [self] in listen(watch) }
  }

  /// The server tells from now on.
  private func open(_ watch: Watch) {
    let isFirst = !watch.isReady.value
    watch.answer()
    // By an id the server knows what has been missed; else nobody does.
    let isUnknown = watch.lastID == nil && (!isFirst || !watch.isAsked)
    if watch.isBehind || isUnknown { sayEverything(of: watch) }
    watch.isBehind = false
  }

  private func tell(_ event: EventParser.Event, of watch: Watch) {
    let since = watch.lastID
    guard let data = event.data else { return sayEverything(of: watch, since: since, state: event.id) }
    let json = (try? RawJSON(validating: data, maxDepth: 500)).flatMap { $0.kind == .object ? $0 : nil }
    if let query = json?.member("query"), !query.isNull, query.string ?? "" != watch.request.query ?? "" {
      return
    }
    say(of: watch) { writer in
      if let since = json?.member("since")?.string ?? since { writer.member("since", since) }
      if let state = event.id ?? json?.member("state")?.string { writer.member("state", state) }
      if let total = json?.member("total") { writer.member("total", total) }
      // The reader of the changes reports a value that isn't one.
      writer.member("changes", json?.member("changes") ?? false.json)
    }
  }
}
