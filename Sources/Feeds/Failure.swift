public import Nagare

/// The value of an `error` output.
public struct Failure: Record, OutputValue, Hashable {
  /// Which kind of failure: the source's own number, or one of `LoadFailure.Code`.
  public let code: Int
  /// One sentence for a person that names the place and the remedy.
  public let message: String
  /// Whether the same load may well succeed later.
  public let retryable: Bool
  /// What made the load begin.
  public let trigger: ListState.Trigger

  /// Its members on the wire.
  public static let fields = Fields(
    Failure.init(code:message:retryable:trigger:),
    Field("code", \.code, "The source's own number, or the server's."),
    Field("message", \.message, "One sentence for a person."),
    Field("retryable", \.retryable, "Whether the same load may well succeed later."),
    Field("trigger", \.trigger, "What made the load begin."))

  init(code: Int, message: String, retryable: Bool, trigger: ListState.Trigger) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.trigger = trigger
  }

  /// A failed load.
  init(_ reason: LoadFailure, trigger: ListState.Trigger) {
    self.init(code: reason.code, message: reason.message, retryable: reason.isRetryable, trigger: trigger)
  }

  /// What was wrong with some of a page's records, told as one failure that names the first; nil if nothing was.
  init?(_ faults: [LoadFailure], trigger: ListState.Trigger) {
    guard var first = faults.first else { return nil }
    if faults.count > 1 { first.message += " (and \(faults.count - 1) more on this page)" }
    self.init(first, trigger: trigger)
  }
}

extension LoadFailure {
  /// Two items of one page had the same id.
  init(repeated id: String) {
    self.init(.badRecord, "the id \(id) is twice on one page; the later item is listed; give each an id of its own")
  }

  /// Whatever a source's stream ended with.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.nonsense, "the source failed: \(error)")
  }
}
