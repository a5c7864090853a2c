public import Flow
public import Paging
public import RPC
public import WireJSON

/// The value of an `error` output. A failure is a value, so it doesn't end the stream.
extension Failure: Record, OutputValue {
  /// The fields in JSON.
  public static let fields = Fields(
    { (code: Int, message: String, retryable: Bool, trigger: String, number: Int) in
      Failure(code: code, message: message, retryable: retryable, trigger: trigger, number: number)
    },
    Field("code", \.code, "A number of the server's, or of the source."),
    Field("message", \.message, "One sentence for the user."),
    Field("retryable", \.retryable, "Whether the same request may succeed later."),
    Field("trigger", \.trigger, "What started the work that failed: usually the name of an input."),
    Field("number", \.number, "The number of the failure among the view's failures, from 1."))

  /// The schema, named after the type.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Failure").described("A failure that a screen shows.")
  }
}

extension LoadFailure {
  /// A failure for an error response of the other side. It is retryable if `data.retryable` in the response is true.
  public init(_ error: RPCError) {
    self.init(code: error.code, message: error.message, isRetryable: error.isRetryable)
  }
}
