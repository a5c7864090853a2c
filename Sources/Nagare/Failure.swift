public import Flow
public import Paging
public import RPC
public import WireJSON

/// The value of an `error` output: a failure is a value, and ends no stream.
extension Failure: Record, OutputValue {
  /// Its members on the wire.
  public static let fields = Fields(
    { (code: Int, message: String, retryable: Bool, trigger: String, number: Int) in
      Failure(code: code, message: message, retryable: retryable, trigger: trigger, number: number)
    },
    Field("code", \.code, "A number of the server's, or of the source."),
    Field("message", \.message, "One sentence for the user."),
    Field("retryable", \.retryable, "Whether the same request may succeed later."),
    Field("trigger", \.trigger, "What started the work that failed: usually the name of an input."),
    Field("number", \.number, "The number of the failure among the view's failures, from 1."))

  /// Its members, by the name of the type.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Failure").described("A failure that a screen shows.")
  }
}

extension LoadFailure {
  /// An error that the other side answered. It is retryable if its `data.retryable` says so.
  public init(_ error: RPCError) {
    self.init(code: error.code, message: error.message, isRetryable: error.isRetryable)
  }
}
