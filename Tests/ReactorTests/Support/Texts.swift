import Flow

@testable import Reactor

extension Descriptor {
  /// Writes a text. Returns whether all of it was written at once.
  func say(_ text: String) throws -> Bool { try write(Array(text.utf8).span) == .bytes(text.utf8.count) }

  /// Reads available bytes; nil if there are none.
  func hear() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard case .bytes(let count) = try read(into: &buffer) else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

extension EventLoop {
  /// Runs until stopped, but only a limited number of turns, so a test fails instead of hanging.
  ///
  /// - Returns: whether the loop was stopped.
  func run(atMostTurns most: Int) -> Bool {
    var turns = 0
    var gaveUp = false
    func turn() {
      turns += 1
      gaveUp = turns == most
      if gaveUp { stop() } else { next = schedule(after: .zero, turn) }
    }
    var next: any Disposable = schedule(after: .zero) {}
    next = schedule(after: .zero, turn)
    run()
    next.dispose()
    return !gaveUp
  }
}
