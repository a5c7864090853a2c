public import Flow

/// The reason why a load or a task failed, or what is wrong with a record of a page.
public struct LoadFailure: Error, Hashable, Sendable {
  /// The kind of failure: a number that the source defines, or one of ``Code``.
  public var code: Int
  /// A sentence for people: what is wrong, where, and what to do.
  public var message: String
  /// Whether the same load may succeed later.
  public var isRetryable: Bool

  /// Creates a failure.
  public init(code: Int, message: String, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
  }

  /// Creates a failure of a known kind.
  public init(_ code: Code, _ message: String, isRetryable: Bool = false) {
    self.init(code: code.rawValue, message: message, isRetryable: isRetryable)
  }

  /// The kinds of failures that the server reports itself.
  public enum Code: Int, Sendable {
    /// The source can't be reached or opened.
    case unreachable = -32010
    /// The source didn't answer in time.
    case timeout = -32011
    /// The answer isn't a valid page.
    case malformedResponse = -32012
    /// A record is broken, has no usable id, or has an id that occurs twice in its page.
    case badRecord = -32013
    /// The source doesn't know which changes followed a state.
    case unknownState = -32014
    /// The source has no item with the requested id.
    case noSuchItem = -32015
    /// The source doesn't support the request: JSON-RPC's "method not found".
    case unsupported = -32601
  }
}

extension LoadFailure {
  /// Whether this is the failure of a watch that had no usable answer and is requested again.
  package var isOfWatch: Bool {
    isRetryable && (code == Code.timeout.rawValue || code == Code.malformedResponse.rawValue)
  }
}

extension LoadFailure: FailureReason {
  /// Creates a failure from the error that ended a source's stream.
  public init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.malformedResponse, "the source failed: \(error)")
  }
}
