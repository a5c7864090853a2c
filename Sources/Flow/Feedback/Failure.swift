/// Why some work has failed: a value that stands until the work begins again, and ends no stream.
public struct Failure: Hashable, Sendable {
  /// Which kind of failure: the other side's own number, or one of this side's.
  public var code: Int
  /// One sentence for a person that names the place and the remedy.
  public var message: String
  /// Whether the same may well succeed later.
  public var retryable: Bool
  /// What the work followed from: mostly the name of an input.
  public var trigger: String
  /// Which failure of its ``Feedback`` it is, from 1: two that are alike are two.
  public var number: Int

  /// A failure of any kind.
  public init(code: Int, message: String, retryable: Bool = false, trigger: String, number: Int = 1) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.trigger = trigger
    self.number = number
  }

  /// What a stream has ended with: a ``FailureReason``, or any other error, which is told in its own words.
  public init(_ error: any Error, trigger: String, number: Int = 1) {
    let reason = error as? any FailureReason ?? UnexpectedEnd(message: "the source failed: \(error)")
    self.init(
      code: reason.code, message: reason.message, retryable: reason.isRetryable, trigger: trigger, number: number)
  }
}

/// An error that says what a ``Failure`` has to know.
public protocol FailureReason: Error {
  /// Which kind of failure.
  var code: Int { get }
  /// One sentence for a person that names the place and the remedy.
  var message: String { get }
  /// Whether the same may well succeed later.
  var isRetryable: Bool { get }
}

/// A stream has ended in another way than it should.
@usableFromInline
struct UnexpectedEnd: FailureReason {
  @usableFromInline let message: String
  /// The number of an answer that makes no sense.
  @usableFromInline var code: Int { -32012 }
  @usableFromInline var isRetryable: Bool { false }

  @usableFromInline
  init(message: String) { self.message = message }
}
