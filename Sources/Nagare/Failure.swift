public import RPC
public import WireJSON

/// The value of an `error` output: a failure is a value, and ends no stream.
public struct Failure: Record, OutputValue, Hashable, Sendable {
  /// Which kind of failure: the other side's own number, or one of `LoadFailure.Code`.
  public let code: Int
  /// One sentence for a person that names the place and the remedy.
  public let message: String
  /// Whether the same may well succeed later.
  public let retryable: Bool
  /// What had set going what failed: mostly the name of an input.
  public let trigger: String
  /// Which of the view's failures it is, counted from 1: so two that are alike are two values, and both are said.
  public var number: Int

  /// Its members on the wire.
  public static let fields = Fields(
    Failure.init(code:message:retryable:trigger:number:),
    Field("code", \.code, "The other side's own number, or the server's."),
    Field("message", \.message, "One sentence for a person."),
    Field("retryable", \.retryable, "Whether the same may well succeed later."),
    Field("trigger", \.trigger, "What had set going what failed: mostly the name of an input."),
    Field("number", \.number, "Which of the view's failures it is, counted from 1."))

  /// Its members, by the name of the type.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Failure").described("A failure that a screen shows.")
  }

  /// A failure of any kind.
  public init(code: Int, message: String, retryable: Bool = false, trigger: String, number: Int = 1) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.trigger = trigger
    self.number = number
  }

  /// What an `Observable` ended with.
  ///
  /// - Parameters:
  ///   - error: the failure; one that isn't a `LoadFailure` is told in its own words.
  ///   - trigger: what had set going what failed.
  ///   - number: which of the view's failures it is, counted from 1.
  public init(_ error: any Error, trigger: String, number: Int = 1) {
    let reason = LoadFailure(error)
    self.init(
      code: reason.code, message: reason.message, retryable: reason.isRetryable, trigger: trigger, number: number)
  }
}

extension LoadFailure {
  /// Whatever a source's stream ended with.
  public init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.nonsense, "the source failed: \(error)")
  }
}
