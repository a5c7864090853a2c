internal import Flow
internal import HTTPSettings
internal import ItemList
internal import Paging
internal import RPC
internal import WireJSON

/// Reports how the items of a web server change. It either receives events from the server, or requests the first page
/// regularly and compares it.
final class LiveSource {
  /// A `source/watch` that waits until the server has confirmed the events.
  private final class Waiter {
    let since: String?
    let answer: (RPCError?) -> Void

    init(_ since: String?, _ answer: @escaping (RPCError?) -> Void) { (self.since, self.answer) = (since, answer) }
  }

  /// The watch of one query with its filters.
  private final class Watch {
    let source: String
    let request: WatchRequest
    var waiters: [Waiter] = []
    /// The work in progress: a pause, a request for a page, or a connection.
    let work = SerialDisposable()
    /// The last reported first page; nil before one was loaded.
    var first: FirstPage?
    /// Whether the first page has been requested.
    var isAsked = false
    /// Whether the server has confirmed or refused the events.
    let isReady = BehaviorRelay(false)
    /// Whether a page was loaded before the server confirmed the events.
    var isBehind = false
    /// The time when the server was asked for events.
    var begun = Duration.zero
    /// How many watches of the same criteria ended in a row within a second each.
    var consecutiveFailures = 0
    /// The id of the last event.
    var lastID: String?
    /// The number of connections in a row that ended without an event.
    var failures = 0
    /// The time to wait before the next connection.
    var retry = Duration.milliseconds(500)
    /// Resumes paused work. Returns whether any was paused.
    var resume: () -> Bool = { false }

    init(_ params: SourceWatchParams) {
      (source, request) = (params.source, params.request)
      lastID = request.state
    }

    /// Answers the waiting requests.
    func answer(_ error: RPCError? = nil) {
      isReady.accept(true)
      let waiters = waiters
      self.waiters = []
      for waiter in waiters { waiter.answer(error) }
    }
  }

  /// The maximum time that a page waits until the server has confirmed the events. Waiting makes sure that no change is
  /// missed in between.
  private static let readyTimeout = Duration.seconds(2)
  private static let longestPause = Duration.seconds(30)
  /// The lower limit of pauses, even if the server requests shorter ones.
  private static let shortestPause = Duration.milliseconds(100)

  private let source: HTTPSource
  private let settings: HTTPLive
  private let clock: any Scheduler
  private let limit: Int
  private var watches: [Criteria: Watch] = [:]

  /// Returns whether too much output is queued. Then nothing is requested or read until ``resume()`` is called.
  var isHeld: () -> Bool = { false }
  /// Sends `source/changed` with these parameters.
  var say: (_ params: (inout JSONWriter) -> Void) -> Void = { _ in }

  /// Prepares watches. `limit` is the maximum size of an event in bytes.
  init(_ source: HTTPSource, _ settings: HTTPLive, limit: Int, on clock: any Scheduler) {
    (self.source, self.settings, self.limit, self.clock) = (source, settings, limit, clock)
  }

  /// Resumes paused work. Returns whether any was paused.
  func resume() -> Bool {
    watches.values.reduce(false) { hasResumed, watch in watch.resume() || hasResumed }
  }

  /// Begins a watch. `answer` is called once, when the server has confirmed or refused the events. Returns a closure
  /// that cancels the request, so that `answer` isn't called.
  func watch(_ params: SourceWatchParams, _ answer: @escaping (RPCError?) -> Void) -> () -> Void {
    let (criteria, waiter) = (params.request.criteria, Waiter(params.request.state, answer))
    let last = watches[criteria]
    if let last, waiter.since == nil {
      // The running watch already reports all changes from now on.
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
      // Changes that these requests have missed are no longer reported.
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
      // A server may report states that the list hasn't reached. Each of them causes a gap, after which the list
      // watches again.
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

  /// Returns a stream that emits when a page may be requested: when the server has confirmed the events, or after a
  /// timeout.
  func prepare(_ request: PageRequest) -> Observable<Void> {
    guard let watch = watches[request.criteria] else { return .just(()) }
    if request.key == nil { watch.isAsked = true }
    return watch.isReady.filter { $0 }.take(1).timeout(LiveSource.readyTimeout, other: .just(false), on: clock).map {
      isReady in
      if !isReady { watch.isBehind = true }
    }
  }

  /// Records a page that was sent as an answer.
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

  // MARK: - Polling

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
      // A list that requests no page has one from an earlier run of this program, so everything may have changed.
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

  // MARK: - Events

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
        // The next `source/watch` connects to the server again.
        watches[watch.request.criteria] = nil
        return watch.answer(.malformedResponse("the events of \"live\" can't be received: \(reason)"))
      }
    }
    watch.failures += 1
    let pause = isRefused ? LiveSource.longestPause : watch.retry * (1 << min(watch.failures - 1, 10))
    let chance = 0.5 + source.chance() / 2
    after(max(watch.retry, min(pause, LiveSource.longestPause) * chance), watch) { [self] in listen(watch) }
  }

  /// Handles the server's confirmation that it will send events.
  private func open(_ watch: Watch) {
    let isFirst = !watch.isReady.value
    watch.answer()
    // With the id of the last event, the server sends the missed events. Without one, changes may have been missed.
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
      // If the value isn't a list of changes, the receiver reports that.
      writer.member("changes", json?.member("changes") ?? false.json)
    }
  }
}
