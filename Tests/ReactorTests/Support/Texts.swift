import Flow

@testable import Reactor

extension Descriptor {
  /// Writes a text, all of which must go at once.
  func say(_ text: String) throws -> Bool { try write(Array(text.utf8).span) == .bytes(text.utf8.count) }

  /// Reads what is there; nil if nothing is.
  func hear() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard case .bytes(let count) = try read(into: &buffer) else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

extension EventLoop {
  /// Runs until stopped, at most so many turns, so that a test fails instead of hanging.
  ///
  /// - Returns: false if nobody stopped it.
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
