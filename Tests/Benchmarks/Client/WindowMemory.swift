internal import NagareClient
internal import ResidentMemory

/// The memory that the client keeps for a list of ten million rows, beyond the rows in its window.
enum WindowMemory {
  private static let moves = 5000

  /// - Returns: the number of bytes.
  static func measure(_ command: [String]) async throws -> Int {
    let session = try await Session.spawn(command + ["--clock", "virtual"])
    let view = try await session.open("long", ["window": ["margin": 490]], as: ListView<RawJSON>.self)
    view.viewWillAppear.send()
    try await session.advance(1000)
    for row in [500, 5_000_000, 1000] { try await hold(row, view, session) }
    let before = ResidentMemory.bytes
    let count = try view.window(\.items).count - 1000
    var row = 7
    for move in 0..<moves {
      row = (row * 48_271) % 0x7fff_ffff
      let place = row % count + 490
      if move % 2 == 0 { view.viewport.send(place..<place + 20) } else { view.jump.send(Jump(index: place)) }
      try await session.advance(300)
    }
    try await hold(1000, view, session)
    defer { withExtendedLifetime(view) {} }
    return max(0, ResidentMemory.bytes - before)
  }

  /// Moves the window to 1,000 rows, all of them loaded.
  private static func hold(_ row: Int, _ view: ListView<RawJSON>, _ session: Session) async throws {
    view.viewport.send(row..<row + 20)
    try await session.advance(3000)
    let held = try view.window(\.items).held
    guard held.count == 1000, held.allSatisfy({ $0 != nil }) else {
      throw WrongResult(description: "what is held isn't what was looked at")
    }
  }
}
