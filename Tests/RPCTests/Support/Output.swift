import WireJSON

@testable import RPC

/// An output with a value.
final class Output: Deferrable {
  let name: String
  var value = 0
  /// Whether the output has anything to send.
  var isSent = true
  /// The number of times that the output was encoded.
  private(set) var encodings = 0
  var beforeWriting: () -> Void = {}

  init(_ name: String) { self.name = name }

  var order = 0
  var atStepEnd: () -> Void = {}

  func endStep(_ outbox: Outbox) -> Bool {
    atStepEnd()
    return true
  }

  func writeMessage(to writer: inout JSONWriter) -> Bool {
    encodings += 1
    beforeWriting()
    guard isSent else { return false }
    writer.beginArray()
    writer.string(name)
    writer.int(value)
    writer.endArray()
    return true
  }
}
