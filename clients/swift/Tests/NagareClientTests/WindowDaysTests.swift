import Randomness
import Testing

@testable import NagareClient

/// A window and a full list in one session have the same rows wherever both have a row, whatever changes meanwhile.
@Suite struct WindowDaysTests {
  private static let configuration = #"""
    {
      "sources": {"mine": {"type": "client", "live": true, "positions": true, "around": true}},
      "screens": {"rows": {"viewModel": "list", "source": "mine", "pageSize": 7, "throttle": 0, "maxItems": 40}}
    }
    """#

  @Test(arguments: 0..<6) func `a window and a full list agree after random changes`(_ seed: Int) async throws {
    let rows = LivingRows(seed: seed)
    var random = SplitMix64(seed: seed + 100)
    var handlers = Handlers()
    handlers.source("mine", rows.source)
    let folder = try Folder()
    let config = try folder.write("config.json", Self.configuration)
    let session = try await Session.spawn(
      [Place.nagare, "--clock", "virtual", "--config", config], answering: handlers)
    let whole = try await session.open("rows", as: ListView<LivingRows.Row>.self)
    let view = try await session.open("rows", ["window": ["margin": 5]], as: ListView<LivingRows.Row>.self)
    for list in [whole, view] { list.viewWillAppear.send() }
    try await rest(session, rows, whole, view)
    var compared = 0
    for step in 0..<200 {
      let all = await rows.rows
      let window = try view.window(\.items)
      let places = [window.start, all.count, try whole.items.count].map { Int.random(in: 0...$0, using: &random) }
      let start = max(0, (places.randomElement(using: &random) ?? 0) + Int.random(in: -8...8, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: await rows.happen()
      case 3, 4: view.viewport.send(start..<start + Int.random(in: 1...12, using: &random))
      case 5 where !window.isEmpty: view.jump.send(Jump(index: window.indices.randomElement(using: &random)))
      case 6: view.jump.send(Jump(id: all.randomElement(using: &random).map { ItemID($0.id) }))
      case 7, 8: for index in start..<start + 8 where index < window.count { _ = window[index] }
      default: whole.loadMore.send()
      }
      try await session.ping()
      guard step % 8 == 7 else { continue }
      try await rest(session, rows, whole, view)
      let (now, listed, truth) = (try view.window(\.items), try whole.items, await rows.rows)
      #expect(now.count == truth.count && now.isExact, "step \(step)")
      #expect(Array(now.held) == now.heldIndices.map { truth[$0] }, "step \(step)")
      #expect(listed.elementsEqual(truth.prefix(listed.count)), "step \(step)")
      for (held, row) in zip(now, listed) where held != nil {
        #expect(held == row)
        compared += 1
      }
    }
    #expect(compared > 50, "they have met")
    #expect(await session.close() == .exit(status: 0))
  }

  /// Waits until everything has finished and its outputs have been received.
  private func rest(
    _ session: Session, _ rows: LivingRows, _ whole: ListView<LivingRows.Row>, _ view: ListView<LivingRows.Row>
  ) async throws {
    for _ in 0..<3 {
      try await session.advance(200)
      while true {
        try await session.ping()
        let (isBusy, total) = (await rows.isBusy, await rows.rows.count)
        if !isBusy, try !whole.loading, try !view.loading, try view.state.total == total { break }
      }
    }
  }
}

/// A source whose rows change, with a log of the changes. A page's key is the rank of the row before it, so changes
/// don't invalidate it.
private actor LivingRows {
  struct Row: Codable, Equatable, Sendable {
    let id: Int
    let rank: Double
    var n = 0
  }

  private(set) var rows = (0..<300).map { Row(id: $0, rank: Double($0)) }
  private var steps: [[SourceChange]] = []
  private var watching: [AsyncStream<SourceStep>.Continuation] = []
  private var answering = 0
  private var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: seed) }

  var isBusy: Bool { answering > 0 }

  nonisolated var source: ClientSource {
    ClientSource {
      try await self.page($0)
    } watch: {
      await self.watch($0)
    }
  }

  private func page(_ request: PageRequest) async throws -> SourcePage {
    answering += 1
    defer { answering -= 1 }
    for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
    var start = min(request.position ?? 0, rows.count)
    if let around = request.around {
      guard let place = rows.firstIndex(where: { ItemID($0.id) == around }) else {
        throw ResponseError(code: -32015, message: "there is no such row")
      }
      start = max(0, place - request.size / 2)
    } else if let key = request.key?.double {
      start = rows.prefix { $0.rank <= key }.count
    }
    let (items, total, state) = (rows[start...].prefix(request.size), rows.count, "\(steps.count)")
    // Delays the page, so that newer changes arrive before it.
    for _ in 0..<Int.random(in: 0..<6, using: &random) { await Task.yield() }
    return try SourcePage(
      items, next: items.endIndex < total ? items.last?.rank : nil, total: total, position: start, state: state)
  }

  private func watch(_ watch: SourceWatch) -> SourceWatched {
    let (stream, continuation) = AsyncStream.makeStream(of: SourceStep.self)
    watching.append(continuation)
    let missed = steps[(watch.since.flatMap { Int($0) } ?? steps.count)...].flatMap { $0 }
    return SourceWatched(stream, state: "\(steps.count)", missed: missed)
  }

  /// Inserts, removes or changes some rows.
  func happen() {
    var changes: [SourceChange] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...rows.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 1 where place < rows.count:
        changes.append(.remove(ItemID(rows.remove(at: place).id), position: place))
      case 2 where place < rows.count:
        rows[place].n = steps.count
        if let row = try? RawJSON(encoding: rows[place]) { changes.append(.change(row)) }
      default:
        let before = place > 0 ? rows[place - 1].rank : (rows.first?.rank ?? 2) - 2
        let after = place < rows.count ? rows[place].rank : before + 2
        let row = Row(id: 1000 + steps.count * 3 + changes.count, rank: (before + after) / 2)
        let next = place < rows.count ? ItemID(rows[place].id) : nil
        rows.insert(row, at: place)
        guard let json = try? RawJSON(encoding: row) else { continue }
        changes.append(.insert(json, before: next, atEnd: next == nil, position: place))
      }
    }
    steps.append(changes)
    for continuation in watching { continuation.yield(SourceStep(changes.json, "\(steps.count)", rows.count)) }
  }
}
