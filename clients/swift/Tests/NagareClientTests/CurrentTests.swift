import Foundation
import Randomness
import Testing

@testable import NagareClient

/// After random actions, the client's current values equal the server's answer to `outputs`.
@Suite struct CurrentTests {
  private static let seeds = 0..<8
  /// The number of steps for each seed. `NAGARE_STEPS` is the number for all seeds together.
  private static let steps =
    (ProcessInfo.processInfo.environment["NAGARE_STEPS"].flatMap { Int($0) } ?? 3200) / seeds.count

  @Test(arguments: seeds) func `current values equal the server's after random actions`(seed: Int) async throws {
    let folder = try Folder()
    _ = try folder.write("lines.jsonl", Day.lines)
    let config = try folder.write("config.json", Day.configuration)
    let answers = Answers(seed: seed)
    let command = [Place.nagare, "--clock", "virtual", "--config", config]
    let session = try await Session.spawn(command, answering: answers.handlers)
    var day = Day(session, answers, seed: seed)
    for step in 0..<Self.steps {
      do {
        try await day.act()
      } catch is ResponseError {
        // The server refused the input.
      }
      // Handlers may answer after the first ping, so more pings wait for the effects.
      for _ in 0..<3 { try await session.ping() }
      day.forgetClosed()
      // Sometimes skips the comparison, because `synchronize` updates the client. So changes of several steps are
      // compared, too.
      if !day.chance(of: 3) { continue }
      for view in day.views {
        let (own, said) = try await view.synchronized()
        #expect(own.isEquivalent(to: said), "step \(step), \(view): \(own), not \(said)")
      }
    }
    await answers.release()
    #expect(await session.close() == .exit(status: 0))
  }
}

/// A user whose actions a seed determines.
private struct Day {
  private(set) var views: [AnyRemoteView] = []
  private let session: Session
  private let answers: Answers
  private var random: SplitMix64

  init(_ session: Session, _ answers: Answers, seed: Int) {
    (self.session, self.answers) = (session, answers)
    random = SplitMix64(seed: seed)
  }

  mutating func act() async throws {
    let choice = views.isEmpty ? 0 : Int.random(in: 0..<12, using: &random)
    switch choice {
    case 0: views.append(try await session.open(one(Day.screens), RawJSON.emptyObject))
    case 1: if views.count > 8 { try await one(views).close() }
    case 2: try await session.advance(one([0, 1, 200, 300, 1000, 40_000]))
    case 3: session.sendAction("shop.query", one(["ramen", "curry", "sushi"]))
    case 4, 5: await answers.releaseOne()
    default:
      let view = one(views)
      let opened = try await view.open(one(view.screen.inputs), params())
      if let opened { views.append(opened) }
    }
  }

  mutating func forgetClosed() { views.removeAll(where: \.isClosed) }

  mutating func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func params() -> RawJSON {
    let start = Int.random(in: 0..<4, using: &random)
    var params: [String: any JSONEncodable] = [
      "item": ["id": one(Answers.ids), "n": start.json].json, "id": one(Answers.ids),
      "before": one(Answers.ids + [.null]),
      "text": one(["", "a"]), "start": start, "end": start + one([0, 1, 2]),
    ]
    if chance(of: 2) { (params["to"], params["id"]) = (one(["next", "previous"]), RawJSON.null) }
    return params.mapValues(\.json).json
  }

  private mutating func one<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  static let lines = """
    {"id":1}
    nonsense
    {"id":2}
    {"id":2}
    {"id":"a"}
    {"no":1}
    """

  static let screens = ["rows", "kept", "sure", "broken", "find", "genres", "profile", "offers", "missing", "demo"]

  static let configuration = #"""
    {
      "sources": {
        "mine": {"type": "client", "writes": ["insert", "remove"]},
        "some": {"type": "demo"},
        "none": {"type": "file", "path": "none.jsonl"},
        "lines": {"type": "file", "path": "lines.jsonl"}
      },
      "stores": {"shop": {"query": "ramen"}},
      "screens": {
        "rows": {"viewModel": "list", "source": "mine", "pageSize": 3, "throttle": 0, "detail": "row"},
        "kept": {"viewModel": "list", "source": "mine", "onRefresh": "keep", "query": {"store": "shop.query"}},
        "sure": {"viewModel": "list", "source": "mine", "confirmRemoval": "Sure?", "prefetch": 1, "detail": "row"},
        "broken": {"viewModel": "list", "source": "lines", "pageSize": 2, "throttle": 0, "detail": "row"},
        "row": {"viewModel": "pager"},
        "find": {"viewModel": "search", "source": "mine", "pageSize": 3, "detail": "row"},
        "genres": {"viewModel": "choice", "choices": ["ramen", "curry"], "store": "shop.query"},
        "profile": {"viewModel": "task", "tasks": [
          {"input": "rename", "output": "name", "task": {"kind": "prompt", "title": "Name"}},
          {"input": "logout", "output": "in", "task": {"kind": "confirm", "title": "Out?"}, "initial": true}
        ]},
        "offers": {"viewModel": "feed", "source": "mine", "pageSize": 2},
        "missing": {"viewModel": "feed", "source": "none"},
        "demo": {"viewModel": "feed", "source": "some", "pageSize": 1}
      }
    }
    """#
}

/// The answers of sources and presenters: at once, later or never; with the correct result or an error.
private actor Answers {
  static let ids: [RawJSON] = ["a".json, "b".json, "c".json, "d".json, 1.json, 2.json, "x".json]

  private var random: SplitMix64
  private var held: [CheckedContinuation<Void, Never>] = []
  private var isOver = false

  init(seed: Int) { random = SplitMix64(seed: seed + 1000) }

  nonisolated var handlers: Handlers {
    var handlers = Handlers()
    handlers.source(
      "mine",
      ClientSource { _ in
        try await self.answer()
        return await self.page()
      } insert: { _, _ in
        try await self.answer()
      } remove: { _ in
        try await self.answer()
      })
    handlers.present { _ in
      try await self.answer()
      return await self.outcome()
    }
    return handlers
  }

  func releaseOne() {
    if !held.isEmpty { held.remove(at: below(held.count)).resume() }
  }

  /// Releases all delayed answers, and delays none from now on.
  func release() {
    isOver = true
    for continuation in held { continuation.resume() }
    held = []
  }

  private func answer() async throws {
    if !isOver, below(3) == 0 { await withCheckedContinuation { held.append($0) } }
    if below(4) == 0 { throw ResponseError(code: below(2), message: "no", retryable: below(3) == 0) }
  }

  private func page() -> SourcePage {
    let items = (0..<below(5)).map { _ in ["id": Answers.ids[below(7)], "n": below(3).json].json }
    return SourcePage(items, next: [nil, 1.json, "k".json][below(3)], previous: [nil, 2.json][below(2)])
  }

  private func outcome() -> TaskOutcome {
    [.completed("Mei"), .completed(true), .completed, .cancelled, .completed(7)][below(5)]
  }

  private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
