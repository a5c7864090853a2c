internal import Glibc
internal import NagareClient

/// What the client keeps of a list of ten million rows beside those that it holds.
enum WindowMemory {
  private static let moves = 5000

  /// - Returns: the bytes.
  static func measure(_ command: [String]) async throws -> Int {
    let session = try await Session.spawn(command + ["--clock", "virtual"])
    let view = try await session.open("long", ["window": ["margin": 490]], as: ListView<RawJSON>.self)
    view.viewWillAppear.send()
    try await session.advance(1000)
    for row in [500, 5_000_000, 1000] { try await hold(row, view, session) }
    let before = residentBytes()
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
    return max(0, residentBytes() - before)
  }

  /// Holds 1,000 rows, all of them read.
  private static func hold(_ row: Int, _ view: ListView<RawJSON>, _ session: Session) async throws {
    view.viewport.send(row..<row + 20)
    try await session.advance(3000)
    let held = try view.window(\.items).held
    guard held.count == 1000, held.allSatisfy({ $0 != nil }) else {
      fatalError("what is held isn't what was looked at")
    }
  }

  /// The second number of Linux's `/proc/self/statm`, which counts pages.
  private static func residentBytes() -> Int {
    // The C library's streams; the file is closed before this returns, and the buffer is as long as is said.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
