public import Flow

/// Why a load or a task failed, or what was wrong with a record of a page: a value, which ends nothing.
public struct LoadFailure: Error, Hashable, Sendable {
  /// Which kind of failure: a number of the source's own, or one of ``Code``.
  public var code: Int
  /// One sentence for a person that names the place and the remedy.
  public var message: String
  /// Whether the same load may well succeed later.
  public var isRetryable: Bool

  /// A failure.
  public init(code: Int, message: String, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
  }

  /// A failure of a known kind.
  public init(_ code: Code, _ message: String, isRetryable: Bool = false) {
    self.init(code: code.rawValue, message: message, isRetryable: isRetryable)
  }

  /// The kinds of failure that this side finds.
  public enum Code: Int, Sendable {
    /// The source can't be reached or opened.
    case unreachable = -32010
    /// No answer came in time.
    case timeout = -32011
    /// The answer isn't a page.
    case malformedResponse = -32012
    /// A record is broken, or has no usable id, or an id that the page has twice.
    case badRecord = -32013
    /// The source can't tell what has happened since a state.
    case unknownState = -32014
    /// The source has no item with that id, or none any more.
    case noSuchItem = -32015
    /// The source can't do what was asked: JSON-RPC's "method not found".
    case unsupported = -32601
  }
}

extension LoadFailure {
  /// Whether it is that of a watch that wasn't answered, or not by anything of use, and is asked for again.
  package var isOfWatch: Bool {
    isRetryable && (code == Code.timeout.rawValue || code == Code.malformedResponse.rawValue)
  }
}

extension LoadFailure: FailureReason {
  /// Whatever a source's stream ended with.
  public init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.malformedResponse, "the source failed: \(error)")
  }
}
