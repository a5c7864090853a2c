internal import Flow
internal import ItemList
internal import Paging
internal import RPC
internal import WireJSON

/// The watches of a source, by criteria. Each is requested once, even if several lists follow it.
final class SourceWatches {
  typealias Changes = SourceChanges<RawJSON>

  /// A list that follows one watch.
  private final class Listener {
    let observer: Observer<Changes>
    var isAnswered = false

    init(_ observer: Observer<Changes>) { self.observer = observer }
  }

  /// A `source/watch` without an answer so far, and the lists that wait for it.
  private final class Ask {
    let request: WatchRequest
    var listeners: [Listener] = []
    let answer = SerialDisposable()
    /// Sends the request after a pause, and gives up if no answer comes. It is a background timer, so the end of the
    /// session doesn't wait for it.
    let timer: ScheduledTimer
    var isSent = false

    init(_ request: WatchRequest, on clock: any Scheduler, _ act: @escaping (Ask) -> Void) {
      self.request = request
      weak var ask: Ask?
      timer = clock.timer { if let ask { act(ask) } }
      timer.isInBackground = true
      ask = self
    }
  }

  private final class Watch {
    var listeners: [Listener] = []
    var asks: [Ask] = []
    /// Whether the source confirmed the watch, and the source's newest state.
    var isAnswered = false
    var state: String?
    var backoff = Backoff()
  }

  /// The number of failures in a row, and the time of the next try.
  private struct Backoff {
    private var failures = 0
    private(set) var end = Duration.zero

    mutating func fail(at now: Duration, _ policy: RetryPolicy) {
      failures += 1
      end = now + policy.pause(after: failures)
    }
  }

  /// How requests and notifications are sent to a source.
  struct Transport {
    let ask: (SourceRequest<Changes>) -> Observable<Changes>
    let tell: (_ method: String, _ params: (inout JSONWriter) -> Void) -> Void
    /// The possible reason for a missing answer, as a clause; nil if none is known.
    var trouble: () -> String? = { nil }
    var log: ((String) -> Void)?
  }

  private let name: String
  private let id: String
  private let clock: any Scheduler
  private let policy: RetryPolicy
  private let transport: Transport
  private var watches: [Criteria: Watch] = [:]
  /// The failures of the source itself: it has stopped reporting, or can't be reached.
  private var backoff = Backoff()

  init(name: String, id: String, on clock: any Scheduler, policy: RetryPolicy = RetryPolicy(), _ transport: Transport) {
    (self.name, self.id, self.clock, self.policy, self.transport) = (name, id, clock, policy, transport)
  }

  /// Reports the source's changes from a state. The first value confirms the watch, and contains the changes since that
  /// state.
  func changes(_ request: WatchRequest) -> Observable<Changes> {
    .create { [self] observer in
      let (watch, listener) = (watches[request.criteria] ?? Watch(), Listener(observer))
      watches[request.criteria] = watch
      watch.listeners.append(listener)
      // A list that names a state has missed changes since then, so it needs a separate request.
      if watch.isAnswered, request.state == nil {
        listener.isAnswered = true
        observer.onNext(Changes(state: watch.state))
      } else {
        ask(request, of: watch, listener)
      }
      return AnyDisposable { [self] in remove(listener, from: watch, request.criteria) }
    }
  }

  /// Receives the parameters of `source/changed`.
  func receive(_ params: RawJSON) {
    guard let source = params.member("source")?.string, WireText(source) == WireText(name),
      let watch = watches[Criteria(of: params)], watch.isAnswered
    else { return }
    let changes = Changes(params, of: name, id: id)
    watch.state = changes.state
    for listener in watch.listeners where listener.isAnswered { listener.observer.onNext(changes) }
  }

  /// Fails all confirmed watches, because the source has ended.
  func interrupt() {
    let watches = watches.values.filter(\.isAnswered)
    guard !watches.isEmpty else { return }
    backoff.fail(at: clock.now, policy)
    let failure = LoadFailure(.unreachable, "the source \"\(name)\" has ended", isRetryable: true)
    for watch in watches {
      watch.isAnswered = false
      for listener in watch.listeners where listener.isAnswered { listener.observer.onError(failure) }
    }
  }

  // MARK: - Requests

  private func ask(_ request: WatchRequest, of watch: Watch, _ listener: Listener) {
    if let running = watch.asks.first(where: { $0.request == request }) { return running.listeners.append(listener) }
    let ask = Ask(request, on: clock) { [unowned self, unowned watch] ask in
      if ask.isSent { giveUp(ask, of: watch) } else { send(ask, of: watch) }
    }
    ask.listeners = [listener]
    watch.asks.append(ask)
    send(ask, of: watch)
  }

  private func send(_ ask: Ask, of watch: Watch) {
    let pause = max(backoff.end, watch.backoff.end) - clock.now
    ask.isSent = pause <= .zero
    ask.timer.arm(after: ask.isSent ? policy.timeout : pause)
    guard ask.isSent else { return }
    ask.answer.disposable = transport.ask(SourceRequest(ask.request, of: name, id: id)).subscribe(
      onNext: { [self] changes in
        (backoff, watch.backoff) = (Backoff(), Backoff())
        end(ask, of: watch)
        // Changes that the source reported before this answer were lost. Lists that were confirmed earlier have missed
        // them.
        let missed = watch.isAnswered ? [] : watch.listeners.filter(\.isAnswered)
        (watch.isAnswered, watch.state) = (true, changes.state)
        for listener in ask.listeners {
          listener.isAnswered = true
          listener.observer.onNext(changes)
        }
        for listener in missed { listener.observer.onNext(.missed(before: changes.state)) }
      },
      onError: { [self] error in fail(ask, of: watch, LoadFailure(error)) })
  }

  private func giveUp(_ ask: Ask, of watch: Watch) {
    ask.answer.disposable = AnyDisposable.empty
    let trouble = transport.trouble().map { "; \($0)" } ?? ""
    let message = "the source \"\(name)\" didn't answer source/watch in time\(trouble); the request is sent again"
    fail(ask, of: watch, LoadFailure(.timeout, message, isRetryable: true))
  }

  private func fail(_ ask: Ask, of watch: Watch, _ failure: LoadFailure) {
    if failure.isRetryable, !failure.isOfWatch {
      backoff.fail(at: clock.now, policy)
      return send(ask, of: watch)
    }
    end(ask, of: watch)
    var failing = ask.listeners
    if failure.isOfWatch {
      watch.backoff.fail(at: clock.now, policy)
      // It is unknown whether the source still reports to lists that were confirmed earlier.
      failing = watch.listeners.filter { listener in listener.isAnswered || failing.contains { $0 === listener } }
      watch.isAnswered = false
    } else if failure.code == LoadFailure.Code.unknownState.rawValue {
      // The next request starts a new watch.
      watch.isAnswered = false
    } else {
      transport.log?("the source \"\(name)\" doesn't report its changes: \(failure.message)\n")
    }
    for listener in failing { listener.observer.onError(failure) }
  }

  private func end(_ ask: Ask, of watch: Watch) {
    ask.timer.dispose()
    watch.asks.removeAll { $0 === ask }
  }

  private func remove(_ listener: Listener, from watch: Watch, _ criteria: Criteria) {
    watch.listeners.removeAll { $0 === listener }
    for ask in watch.asks {
      ask.listeners.removeAll { $0 === listener }
      guard ask.listeners.isEmpty else { continue }
      end(ask, of: watch)
      ask.answer.dispose()
    }
    guard watch.listeners.isEmpty, watches[criteria] === watch else { return }
    watches[criteria] = nil
    transport.tell(SourceMethod.unwatch.name, SourceUnwatchParams(source: name, criteria).write)
  }
}

extension Criteria {
  /// The criteria in the parameters of `source/changed`.
  fileprivate init(of params: RawJSON) {
    let filters = (params.member("filters") ?? .emptyObject).members
    self.init(
      query: params.member("query")?.string, filters: Filters(filters.lazy.map { ($0.key.string, $0.value) }))
  }
}

extension SourceRequest<SourceChanges<RawJSON>> {
  init(_ request: WatchRequest, of source: String, id: String) {
    self.init(.watch, of: source, params: SourceWatchParams(source: source, request).write, isRepeated: true) {
      json throws(LoadFailure) in
      func check(_ value: RawJSON?, _ path: String, _ expected: String, _ isRight: Bool) throws(LoadFailure) {
        guard let value, !isRight else { return }
        let found = "expected \(expected) at \(path), found \(value.kind.words)"
        throw LoadFailure(
          .malformedResponse, "the source \"\(source)\" answered source/watch with an unusable result: \(found)",
          isRetryable: true)
      }
      try check(json, "result", "an object", json.kind == .object)
      let (state, listed) = (json.member("state"), json.member("changes"))
      try check(state, "result.state", "a string", state?.isNull ?? true || state?.kind == .string)
      let isList = listed?.isNull ?? true || listed?.kind == .array || listed?.string == "all"
      try check(listed, "result.changes", "an array or \"all\"", isList)
      var changes = SourceChanges<RawJSON>(json, of: source, id: id)
      changes.since = request.state
      return changes
    }
  }
}

extension SourceChanges<RawJSON> {
  /// Reports that the source has reached a state while its changes were lost. A list in another state requests them. If
  /// the source has no states, everything may have changed.
  fileprivate static func missed(before state: String?) -> SourceChanges {
    state.map { SourceChanges(since: $0, state: $0) } ?? .everything()
  }

  /// Reads the parameters of `source/changed`, or the result of `source/watch`.
  init(_ json: RawJSON, of source: String, id: String) {
    var (changes, failures): ([Change], [LoadFailure]) = ([], [])
    func leaveOut(_ path: String, _ reason: String, _ what: String = "change") {
      let message = "the source \"\(source)\": \(path) \(reason); the \(what) was left out"
      failures.append(LoadFailure(.badRecord, message))
    }
    let listed = json.member("changes")
    switch listed?.kind {
    case .array?:
      for (index, change) in (listed ?? .emptyArray).elements.enumerated() {
        do throws(MalformedChange) {
          changes.append(try Change(change, id: id))
        } catch {
          leaveOut("changes[\(index)]:", error.message)
        }
      }
    case nil, .null?: break
    default: if listed?.string != "all" { leaveOut("changes:", "expected an array or \"all\"") }
    }
    let total = json.member("total")
    if let total, !total.isNull, total.quantity == nil { leaveOut("\"total\"", total.isNoQuantity, "total") }
    self.init(
      changes, since: json.member("since")?.string, state: json.member("state")?.string, total: total?.quantity,
      failures: failures)
    isEverything = listed?.string == "all"
  }
}

extension RawJSON {
  /// The error for a value that should be a quantity, as a clause.
  fileprivate var isNoQuantity: String {
    let found = bytes.count <= 40 ? text : kind.words
    return "must be an integer from \(RawJSON.quantities.lowerBound) to \(RawJSON.quantities.upperBound), not \(found)"
  }
}

/// The error in a change.
private struct MalformedChange: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension SourceChanges<RawJSON>.Change {
  fileprivate init(_ json: RawJSON, id key: String) throws(MalformedChange) {
    var (kinds, places): ([(String, RawJSON)], [(String, RawJSON)]) = ([], [])
    for member in json.members {
      switch member.key {
      case "insert", "change", "remove": kinds.append((member.key.string, member.value))
      case "before", "after", "at": places.append((member.key.string, member.value))
      default: break
      }
    }
    guard kinds.count == 1, let (kind, subject) = kinds.first else {
      throw MalformedChange("expected an object with \"insert\", \"change\" or \"remove\"")
    }
    let position = json.member("position")
    if let position, position.quantity == nil { throw MalformedChange("\"position\" \(position.isNoQuantity)") }
    func id(_ json: RawJSON, _ name: String) throws(MalformedChange) -> ItemID {
      if let id = ItemID(json) { return id }
      throw MalformedChange("\"\(name)\" must be an id, a string or a number")
    }
    if kind == "remove" {
      self = .remove(try id(subject, kind)).at(position?.quantity)
      return
    }
    guard let item = ItemList.Item(subject, id: key) else {
      throw MalformedChange("\"\(kind)\" must be an object with its id at \"\(key)\", a string or a number")
    }
    if kind == "change" {
      self = .change(item)
      return
    }
    guard let (name, place) = places.first else {
      self = .insert(item).at(position?.quantity)
      return
    }
    if places.count > 1 { throw MalformedChange("an item must have only one of \"before\", \"after\" and \"at\"") }
    switch name {
    case "at":
      if place.string != "end" { throw MalformedChange("\"at\" must be \"end\"") }
      self = .insert(item, .end).at(position?.quantity)
    case "before": self = .insert(item, .before(try id(place, name))).at(position?.quantity)
    default: self = .insert(item, .after(try id(place, name))).at(position?.quantity)
    }
  }
}
