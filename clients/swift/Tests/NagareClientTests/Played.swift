import Foundation
import Reactor
import Synchronization
import Testing

@testable import NagareClient

/// A request that the server sent, from the handler's point of view.
final class Asked: Sendable {
  private struct Guarded {
    var answer: Result<RawJSON, ResponseError>?
    var waiting: CheckedContinuation<RawJSON, any Error>?
    var isCancelled = false
    var steps: AsyncStream<SourceStep>.Continuation?
    var early: [SourceStep] = []
  }

  let method: String
  let params: RawJSON
  private let guarded = Mutex(Guarded())

  init(_ method: String, _ params: RawJSON) { (self.method, self.params) = (method, params) }

  var isCancelled: Bool { guarded.withLock { $0.isCancelled } }

  func answer() async throws -> RawJSON {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<RawJSON, any Error>? = guarded.withLock { guarded in
          if guarded.isCancelled { return .failure(CancellationError()) }
          if let answer = guarded.answer { return answer.mapError { $0 } }
          guarded.waiting = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      take { $0.isCancelled = true }?.resume(throwing: CancellationError())
    }
  }

  func give(_ answer: Result<RawJSON, ResponseError>) { take { $0.answer = answer }?.resume(with: answer) }

  /// For a watch: stores the stream to which changes are sent, until the watch ends.
  func tells(_ steps: AsyncStream<SourceStep>.Continuation) {
    steps.onTermination = { [self] _ in guarded.withLock { $0.isCancelled = true } }
    for step in guarded.withLock({ guarded in
      guarded.steps = steps
      return guarded.early
    }) { steps.yield(step) }
  }

  func tell(_ step: SourceStep) {
    let steps = guarded.withLock { guarded in
      if guarded.steps == nil { guarded.early.append(step) }
      return guarded.steps
    }
    steps?.yield(step)
  }

  private func take(_ change: (inout Guarded) -> Void) -> CheckedContinuation<RawJSON, any Error>? {
    guarded.withLock { guarded in
      change(&guarded)
      defer { guarded.waiting = nil }
      return guarded.waiting
    }
  }
}

/// A call that waits until everything that it started is finished.
final class Waiting: Sendable {
  let task: Task<Outcome, any Error>
  private let end: Ended

  init(_ call: @escaping @Sendable () async throws -> Outcome) {
    let end = Ended()
    self.end = end
    task = Task {
      defer { end.flag.store(true, ordering: .releasing) }
      return try await call()
    }
  }

  var isOver: Bool { end.flag.load(ordering: .acquiring) }

  private final class Ended: Sendable { let flag = Atomic(false) }
}

/// The requests of the server that no step has used yet.
final class Requests: Sendable {
  private let untaken = Mutex<[Asked]>([])

  var all: [Asked] { untaken.withLock { $0 } }

  func ask(_ method: String, _ params: RawJSON) async throws -> RawJSON { try await ask(Asked(method, params)) }

  func ask(_ asked: Asked) async throws -> RawJSON {
    untaken.withLock { $0.append(asked) }
    return try await asked.answer()
  }

  func take(where fits: (Asked) -> Bool) -> Asked? {
    untaken.withLock { untaken in untaken.firstIndex(where: fits).map { untaken.remove(at: $0) } }
  }
}

/// Counts the server's messages and records the answers to its requests. The server is killed after a given number of
/// messages.
final class Messages: Sendable {
  private let last: Int
  private let taken = Atomic(0)
  private let answered = Atomic(0)

  init(upTo last: Int = .max) { self.last = last }

  var count: Int { taken.load(ordering: .acquiring) }
  var areAllThere: Bool { count == last }
  var answers: Int { answered.load(ordering: .acquiring) }

  /// Counts received messages up to the last one. Returns the number of bytes up to its end.
  func take(_ bytes: Span<UInt8>) -> Int {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      taken.add(1, ordering: .acquiringAndReleasing)
      if areAllThere { return index + 1 }
    }
    return bytes.count
  }

  /// Records a line that was written to the server.
  func note(_ line: RawJSON) {
    if line["method"] == nil { answered.add(1, ordering: .acquiringAndReleasing) }
  }
}

/// A connection that counts the server's messages. Messages after the last one are dropped.
private final class CountedLink: Link {
  var onOutput: (Span<UInt8>) -> Void = { _ in }
  var onWritable: () -> Void = {} { didSet { link.onWritable = onWritable } }
  var onHangUp: () -> Void = {} { didSet { link.onHangUp = onHangUp } }
  var onEnd: (ServerDied) -> Void = { _ in } { didSet { link.onEnd = onEnd } }
  var hasEnded: Bool { link.hasEnded }
  var end: ServerEnd? { link.end }
  private let link: ChildLink
  private let messages: Messages
  private var line: [UInt8] = []

  init(_ command: [String], _ messages: Messages, on loop: EventLoop) throws {
    link = try ChildLink(command, in: "", log: nil, on: loop)
    self.messages = messages
    link.onOutput = { [unowned self] bytes in
      guard !messages.areAllThere else { return }
      onOutput(bytes.extracting(..<messages.take(bytes)))
      killAtEnd()
    }
    killAtEnd()
  }

  private func killAtEnd() {
    if messages.areAllThere { link.kill() }
  }

  func write(_ bytes: Span<UInt8>) -> Int {
    let count = link.write(bytes)
    for index in 0..<count {
      line.append(bytes[index])
      guard bytes[index] == UInt8(ascii: "\n") else { continue }
      if let message = try? RawJSON(validating: line) { messages.note(message) }
      line = []
    }
    return count
  }

  func finishWriting() { link.finishWriting() }
  func terminate() { link.terminate() }
  func kill() { link.kill() }
}

/// A scenario while it is played. `clients/behaviour/README.md` defines the format.
actor Played {
  let scenario: RawJSON
  let requests = Requests()
  let messages: Messages
  let session: Session
  var views: [String: AnyRemoteView] = [:]
  var named: [String: Asked] = [:]
  var calls: [String: Waiting] = [:]
  /// The outputs that a step reads later.
  var heard: [String: AsyncThrowingStream<RawJSON, any Error>] = [:]

  /// Plays a scenario.
  ///
  /// - Returns: how the server ended.
  static func play(
    _ scenario: RawJSON, in folder: Folder, _ command: [String], _ messages: Messages
  ) async throws -> ServerEnd? {
    let played = try await Played(scenario, in: folder, command, messages)
    for (number, step) in (scenario["steps"] ?? .emptyArray).elements.enumerated() {
      do {
        try await played.take(step)
      } catch let error as TimedOut {
        await played.session.close()
        throw TimedOut(description: "step \(number + 1), \(step): \(error)")
      } catch let error as ServerDied {
        try await played.endCalls()
        throw error
      }
    }
    let end = await played.session.close()
    try await played.endCalls()
    return end
  }

  /// Checks that each waiting call has ended with the session.
  private func endCalls() async throws {
    for (name, call) in calls {
      do {
        _ = try await bounded({ "\(name) goes on" }) { try await call.task.value }
      } catch let error where !(error is ServerDied || error is SessionClosed) {
        throw TimedOut(description: "\(name) ended with \(error)")
      } catch {}
    }
  }

  private init(_ scenario: RawJSON, in folder: Folder, _ command: [String], _ messages: Messages) async throws {
    (self.scenario, self.messages) = (scenario, messages)
    var command = command
    for (name, text) in (scenario["files"] ?? .emptyObject).members {
      _ = try folder.write(name.string, text.string ?? "")
    }
    if let config = scenario["config"] { command += ["--config", try folder.write("config.json", config.text)] }
    let handlers = Played.handlers(of: scenario, requests)
    session = try await Session(answering: handlers) { [command] in try CountedLink(command, messages, on: $0) }
  }

  private static func handlers(of scenario: RawJSON, _ requests: Requests) -> Handlers {
    var handlers = Handlers()
    for name in (scenario["sources"] ?? .emptyArray).elements {
      handlers.source(name.string ?? "", source(name, requests))
    }
    for kind in (scenario["present"] ?? .emptyArray).elements {
      let present: Handlers.Presenter = { task in
        let result = try await requests.ask("present", ["task": task.json].json)
        return result["outcome"]?.string == "completed" ? .completed(with: result["value"]) : .cancelled
      }
      if kind.string == "*" { handlers.present(by: present) } else { handlers.present(kind.string ?? "", by: present) }
    }
    return handlers
  }

  private static func source(_ name: RawJSON, _ requests: Requests) -> ClientSource {
    ClientSource { request in
      let params = [
        "source": name, "key": request.key ?? .null, "query": request.query.json, "size": request.size.json,
        "filters": request.filters?.json ?? .null, "at": request.position.json, "around": request.around?.raw ?? .null,
      ]
      let page = try await requests.ask("source/page", params.json)
      let items = (page["items"] ?? .emptyArray).elements
      return SourcePage(
        items, next: page["next"], previous: page["previous"], total: page["total"]?.int,
        isExact: page["exact"]?.bool ?? true, position: page["position"]?.int, state: page["state"]?.string)
    } insert: { item, before in
      let params = ["source": name, "item": item, "before": before?.raw ?? .null]
      _ = try await requests.ask("source/insert", params.json)
    } change: { item in
      _ = try await requests.ask("source/change", ["source": name, "item": item].json)
    } remove: { id in
      _ = try await requests.ask("source/remove", ["source": name, "id": id.raw].json)
    } item: { id in
      try await requests.ask("source/item", ["source": name, "id": id.raw].json)["item"]
    } watch: { watch in
      let params = [
        "source": name, "query": watch.query.json, "filters": watch.filters?.json ?? .null, "since": watch.since.json,
      ]
      let asked = Asked("source/watch", params.json)
      let watched = try await requests.ask(asked)
      let (steps, continuation) = AsyncStream.makeStream(of: SourceStep.self)
      asked.tells(continuation)
      return SourceWatched(steps, state: watched["state"]?.string)
    } changeMarked: { marked, set in
      let params = named(marked).merging(["source": name, "set": set]) { $1 }
      _ = try await requests.ask("source/change", params.json)
    } removeMarked: { marked in
      _ = try await requests.ask("source/remove", named(marked).merging(["source": name]) { $1 }.json)
    }
  }

  private static func named(_ marked: MarkedItems) -> [String: RawJSON] {
    switch marked {
    case .some(let ids): ["ids": ids.map(\.raw).json]
    case .all(let ids, let query, let filters):
      ["all": true.json, "except": ids.map(\.raw).json, "query": query.json, "filters": filters?.json ?? .null]
    }
  }

  func name(_ name: String, _ view: AnyRemoteView) {
    views[name] = view
    let heard = Set((scenario["steps"] ?? .emptyArray).elements.map { $0.text("heard") })
    for output in view.screen.outputs + ["scrollTo"] where heard.contains(output) { listen(to: output, of: name) }
  }

  @discardableResult
  func listen(to output: String, of view: String) -> AsyncThrowingStream<RawJSON, any Error>? {
    let stream = views[view].map { view in
      view[output] == nil ? view.kept.stream(output, holding: view.handle, Played.told) : changes(of: output, in: view)
    }
    return heard.updateValue(stream ?? AsyncThrowingStream { $0.finish() }, forKey: "\(view).\(output)")
  }

  private static func told(_ said: ViewState.Update, in current: inout Current) -> RawJSON? {
    switch said {
    case .value(let json): json
    case .opened(let opened): ["screen": opened.screen.name].json
    case .items, .ended: nil
    }
  }

  /// Returns each change of a state. The library's own stream skips changes for a slow reader.
  private func changes(of output: String, in view: AnyRemoteView) -> AsyncThrowingStream<RawJSON, any Error> {
    AsyncThrowingStream { continuation in
      let listener = ViewState.Listener(output) { said, current in
        if case .ended(let error) = said { return continuation.finish(throwing: error) }
        if let value = Played.told(said, in: &current) { continuation.yield(value) }
      }
      continuation.onTermination = { _ in listener.stop() }
      view.kept.add(listener, replaying: false)
    }
  }

  /// Waits until all effects have been received.
  func settle() async throws {
    try await session.ping()
    try await session.ping()
    await Task.yield()
  }

  /// Waits until `find` returns a value. Each check sends a ping, so a dead server is reported.
  func eventually<Value: Sendable>(_ find: @escaping @Sendable () -> Value?, _ told: @escaping @Sendable () -> String)
    async throws -> Value
  {
    try await bounded(told) { [self] in
      while true {
        if let found = find() { return found }
        try await settle()
      }
    }
  }
}
