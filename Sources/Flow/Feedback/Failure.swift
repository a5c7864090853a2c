/// Why some work has failed. It is part of the state until the work begins again. It ends no stream.
public struct Failure: Hashable, Sendable {
  /// The kind of failure: the other side's error code, or one of this side's.
  public var code: Int
  /// One sentence for a person, with the place of the error and the remedy.
  public var message: String
  /// Whether a retry may succeed.
  public var retryable: Bool
  /// The trigger of the work: usually the name of an input.
  public var trigger: String
  /// The number of the failure in its ``Feedback``, from 1. It distinguishes two failures that are otherwise equal.
  public var number: Int

  /// Makes a failure of any kind.
  public init(code: Int, message: String, retryable: Bool = false, trigger: String, number: Int = 1) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.trigger = trigger
    self.number = number
  }

  /// Makes a failure of the error that ended a stream. A ``FailureReason`` provides code and message; the message of
  /// any other error is its description.
  public init(_ error: any Error, trigger: String, number: Int = 1) {
    let reason = error as? any FailureReason ?? UnexpectedEnd(message: "the source failed: \(error)")
    self.init(
      code: reason.code, message: reason.message, retryable: reason.isRetryable, trigger: trigger, number: number)
  }
}

/// An error that provides the data for a ``Failure``.
public protocol FailureReason: Error {
  /// The kind of failure.
  var code: Int { get }
  /// One sentence for a person, with the place of the error and the remedy.
  var message: String { get }
  /// Whether a retry may succeed.
  var isRetryable: Bool { get }
}

/// A stream failed with an unknown error, or ended without the expected value.
@usableFromInline
struct UnexpectedEnd: FailureReason {
  @usableFromInline let message: String
  /// The error code for an unusable answer of a source.
  @usableFromInline var code: Int { -32012 }
  @usableFromInline var isRetryable: Bool { false }

  @usableFromInline
  init(message: String) { self.message = message }
}
