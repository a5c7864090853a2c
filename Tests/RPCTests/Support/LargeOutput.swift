import WireJSON

@testable import RPC

/// An output whose value is a long string.
final class LargeOutput: Deferrable {
  private let size: Int

  init(size: Int) { self.size = size }

  var order: Int { 0 }

  func endStep(_ outbox: Outbox) -> Bool { true }

  func writeMessage(to writer: inout JSONWriter) -> Bool {
    writer.string(String(repeating: "x", count: size))
    return true
  }
}
