internal import Foundation
internal import HTTPSettings
internal import ItemList
internal import Paging
internal import RPC
internal import WireJSON

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// How the items of a web server change: what the server tells by events, or what its first page says again and again.
@MainActor
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
    var work: Task<Void, Never>?
    /// The first page that was told last; nil before one was asked for.
    var first: FirstPage?
    /// Whether a first page is asked for, or was.
    var isAsked = false
    /// Whether the server tells, or has said that it doesn't.
    var isReady = false
    /// Whether a page was given before the server told.
    var isBehind = false
    /// When the server was asked to tell, and how many watches of the same before this were over at once.
    var begun = ContinuousClock.now
    var haste = 0

    init(_ params: SourceWatchParams) { (source, request) = (params.source, params.request) }

    /// Answers those who wait.
    func answer(_ error: RPCError? = nil) {
      isReady = true
      for waiter in waiters { waiter.answer(error) }
      waiters = []
    }
  }

  /// How long a page waits for the server to tell, so that nothing happens between them.
  private static let patience = Duration.seconds(2)
  private static let longestPause = Duration.seconds(30)
  /// However soon the server wants to be asked again.
  private static let shortestPause = Duration.milliseconds(100)

  private let source: HTTPSource
  private let settings: HTTPLive
  /// Says something, once what was said before has been taken.
  private let say: (_ params: @escaping (inout JSONWriter) -> Void) async -> Void
  private var watches: [Criteria: Watch] = [:]

  init(_ source: HTTPSource, _ settings: HTTPLive, say: @escaping (@escaping (inout JSONWriter) -> Void) async -> Void)
  {
    (self.source, self.settings, self.say) = (source, settings, say)
  }

  /// Begins to watch. The answer is called once, when it is known whether the server tells. Gives what ends the waiting
  /// for it.
  func watch(_ params: SourceWatchParams, _ answer: @escaping (RPCError?) -> Void) -> () -> Void {
    let (criteria, waiter) = (params.request.criteria, Waiter(params.request.state, answer))
    let last = watches[criteria]
    if let last, waiter.since == nil {
      // What is told already tells what happens from now on, too.
      last.waiters.append(waiter)
      if last.isReady { last.answer() }
    } else {
      begin(Watch(params), waiter, after: last)
    }
    return { [self] in watches[criteria]?.waiters.removeAll { $0 === waiter } }
  }

  private func begin(_ watch: Watch, _ waiter: Waiter, after last: Watch?) {
    if let last {
      if watch.begun - last.begun < .seconds(1) { watch.haste = last.haste + 1 }
      last.work?.cancel()
      // What they have missed is told by nobody any more.
      for other in last.waiters where other.since != nil { other.answer(.unknownState) }
      watch.waiters = last.waiters.filter { $0.since == nil }
      last.waiters = []
    }
    watch.waiters.append(waiter)
    watches[watch.request.criteria] = watch
    watch.work = Task {
      if let milliseconds = settings.poll {
        watch.answer()
        await poll(watch, every: .milliseconds(milliseconds))
      } else {
        await listen(watch)
      }
    }
  }

  /// Ends a watch.
  func end(_ criteria: Criteria) {
    guard let watch = watches.removeValue(forKey: criteria) else { return }
    watch.work?.cancel()
    watch.answer(.cancelled)
  }

  /// A page is asked for: it waits a while for the server to tell.
  func prepare(_ request: PageRequest) async {
    guard let watch = watches[request.criteria] else { return }
    if request.key == nil { watch.isAsked = true }
    let end = ContinuousClock.now + LiveSource.patience
    while !watch.isReady, ContinuousClock.now < end, !Task.isCancelled {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
    if !watch.isReady { watch.isBehind = true }
  }

  /// A page is answered.
  func note(_ page: HTTPPage, of request: PageRequest) {
    guard request.key == nil, settings.poll != nil, let watch = watches[request.criteria] else { return }
    watch.first = FirstPage(page, size: request.size, id: source.id)
  }

  private func say(of watch: Watch, _ members: @escaping (inout JSONWriter) -> Void) async {
    guard !Task.isCancelled else { return }
    let (source, request) = (watch.source, watch.request)
    await say { writer in
      writer.beginObject()
      writer.member("source", source)
      writer.member("query", request.query)
      if let filters = request.filters { writer.member("filters", filters) }
      members(&writer)
      writer.endObject()
    }
  }

  private func sayEverything(of watch: Watch, since: String? = nil, state: String? = nil) async {
    await say(of: watch) { writer in
      if let since { writer.member("since", since) }
      if let state { writer.member("state", state) }
      writer.member("changes", "all".json)
    }
  }

  // MARK: - Asking again and again

  private func poll(_ watch: Watch, every interval: Duration) async {
    while !Task.isCancelled {
      do { try await Task.sleep(for: interval) } catch { return }
      guard let first = watch.first else {
        // Whoever asks for no page has one by an earlier run of this program.
        if !watch.isAsked {
          watch.isAsked = true
          await sayEverything(of: watch)
        }
        continue
      }
      let request = PageRequest(watch.request.criteria, size: first.size)
      guard let page = try? await source.page(request), let newest = watch.first else { continue }
      let found = FirstPage(page, size: first.size, id: source.id)
      watch.first = found
      if let changes = newest.changes(to: found) { await say(of: watch, changes) }
    }
  }

  // MARK: - Listening

  private func listen(_ watch: Watch) async {
    var (last, failures, retry) = (watch.request.state, 0, Duration.milliseconds(500))
    // A server that tells of states that nobody has come to leads to one gap after the other.
    if watch.haste > 1 {
      do { try await Task.sleep(for: min(retry * (1 << min(watch.haste - 2, 10)), LiveSource.longestPause)) } catch {
        return
      }
      watch.begun = .now
    }
    while !Task.isCancelled {
      var refusal: String?
      do {
        let stream = EventStream(
          try source.request(forEvents: watch.request.criteria, lastID: last), limit: source.limit, lastID: last)
        defer { stream.close() }
        for try await word in stream.words {
          switch word {
          case .opened: await open(watch, last)
          case .found(let finding):
            stream.read(finding)
            switch finding {
            case .retry(let milliseconds):
              retry = min(max(.milliseconds(milliseconds), LiveSource.shortestPause), LiveSource.longestPause)
            case .event(let event):
              failures = 0
              await tell(event, since: last, of: watch)
              last = event.id
            }
          }
          await Task.yield()
        }
      } catch let end as EventStream.End {
        if case .refused(let reason) = end { refusal = reason }
      } catch {
        refusal = (error as? RPCError)?.message ?? "\(error)"
      }
      if let refusal, !watch.isReady {
        // Who asks once more has the server asked once more.
        if watches[watch.request.criteria] === watch { watches[watch.request.criteria] = nil }
        return watch.answer(.malformedResponse("the events of \"live\" don't come: \(refusal)"))
      }
      failures += 1
      let pause = refusal == nil ? retry * (1 << min(failures - 1, 10)) : LiveSource.longestPause
      let chance = Double.random(in: 0.5...1)
      do { try await Task.sleep(for: max(retry, min(pause, LiveSource.longestPause) * chance)) } catch { return }
    }
  }

  /// The server tells from now on.
  private func open(_ watch: Watch, _ last: String?) async {
    let isFirst = !watch.isReady
    watch.answer()
    // By an id the server knows what has been missed; else nobody does.
    let isUnknown = last == nil && (!isFirst || !watch.isAsked)
    if watch.isBehind || isUnknown { await sayEverything(of: watch) }
    watch.isBehind = false
  }

  private func tell(_ event: EventParser.Event, since: String?, of watch: Watch) async {
    guard let data = event.data else { return await sayEverything(of: watch, since: since, state: event.id) }
    let json = (try? RawJSON(validating: data, maxDepth: 500)).flatMap { $0.kind == .object ? $0 : nil }
    if let query = json?.member("query"), !query.isNull, query.string ?? "" != watch.request.query ?? "" {
      return
    }
    let since = json?.member("since")?.string ?? since
    await say(of: watch) { writer in
      if let since { writer.member("since", since) }
      if let state = event.id ?? json?.member("state")?.string { writer.member("state", state) }
      if let total = json?.member("total") { writer.member("total", total) }
      // What is no change is said to be none where the others are read.
      writer.member("changes", json?.member("changes") ?? false.json)
    }
  }
}
