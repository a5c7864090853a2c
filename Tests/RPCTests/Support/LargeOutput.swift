import RPC
import WireJSON

/// An output whose value is a long string.
final class LargeOutput: Deferrable {
  private let size: Int

  init(size: Int) { self.size = size }

  func writeMessage(to writer: inout JSONWriter) -> Bool {
    writer.string(String(repeating: "x", count: size))
    return true
  }
}
