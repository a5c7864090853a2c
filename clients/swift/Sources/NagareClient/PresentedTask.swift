public import Nagare

/// A task for the user (section 5.5 of the specification).
public struct PresentedTask: Sendable {
  /// The name of the view that asks.
  public let view: String
  /// The kind: one of ``TaskKind``, or an app's own kind.
  public let kind: String
  /// The whole task, an object.
  public let json: RawJSON

  /// Returns a text of the task.
  ///
  /// - Parameter member: the text's name, such as `title`, `message` or `text`.
  /// - Returns: the text; nil if the task doesn't have it.
  public func text(_ member: String) -> String? { json.member(member)?.string }
}

/// The outcome of a task.
public enum TaskOutcome: Sendable {
  /// The user completed the task, with this value.
  case completed(with: RawJSON?)
  /// The user cancelled the task.
  case cancelled

  /// The user completed a task that has no value.
  public static var completed: TaskOutcome { .completed(with: nil) }

  /// Returns the outcome of a task that the user completed.
  ///
  /// - Parameter value: the result, such as a text, true or an id.
  /// - Returns: the outcome.
  public static func completed(_ value: some JSONEncodable) -> TaskOutcome { .completed(with: value.json) }

  /// Returns the outcome of a task that the user completed.
  ///
  /// - Parameter value: the result.
  /// - Returns: the outcome.
  /// - Throws: an `EncodingFailure` if the result can't be encoded as JSON.
  public static func completed(_ value: some Encodable) throws(EncodingFailure) -> TaskOutcome {
    .completed(with: try RawJSON(encoding: value))
  }

  var json: RawJSON {
    switch self {
    case .cancelled: ["outcome": "cancelled"].json
    case .completed(let value): ["outcome": "completed".json, "value": value].compactMapValues(\.self).json
    }
  }
}
