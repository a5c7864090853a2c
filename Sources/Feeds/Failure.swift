public import Nagare

/// The value of an `error` output.
public struct Failure: JSONEncodable {
  /// What went wrong.
  public let reason: LoadFailure
  /// What made the load begin.
  public let trigger: ListState.Trigger

  /// A failed load.
  init(_ reason: LoadFailure, trigger: ListState.Trigger) {
    self.reason = reason
    self.trigger = trigger
  }

  /// What was wrong with some of a page's records: told as one, which names the first; nil if nothing was.
  init?(_ faults: [LoadFailure], trigger: ListState.Trigger) {
    guard var first = faults.first else { return nil }
    if faults.count > 1 { first.message += " (and \(faults.count - 1) more on this page)" }
    self.init(first, trigger: trigger)
  }

  /// Writes `{"code","message","retryable","trigger"}`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.int(reason.code)
    writer.key("message")
    writer.string(reason.message)
    writer.key("retryable")
    writer.bool(reason.isRetryable)
    writer.key("trigger")
    writer.string(trigger.rawValue)
    writer.endObject()
  }
}

extension LoadFailure {
  /// Two items of one page had the same id.
  init(repeated id: ItemID) {
    self.init(
      .badRecord,
      "a page has the id \(String(decoding: id.json, as: UTF8.self)) twice; the later item is listed; give each its own id")
  }

  /// Whatever a source's stream ended with.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.nonsense, "the source failed: \(error)")
  }
}
