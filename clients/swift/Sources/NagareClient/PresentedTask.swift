public import Nagare

/// What the user is asked to do, as section 5.5 of the specification has it.
public struct PresentedTask: Sendable {
  /// The name of the view that asks.
  public let view: String
  /// What to present: one of ``TaskKind``, or a kind of the app's own.
  public let kind: String
  /// All that was said of it, an object.
  public let json: RawJSON

  /// A text of the task.
  ///
  /// - Parameter member: the text's name, such as `title`, `message` or `text`.
  /// - Returns: the text; nil where there is none.
  public func text(_ member: String) -> String? { json.member(member)?.string }
}

/// How a task has ended.
public enum TaskOutcome: Sendable {
  /// The user did it, with this value.
  case completed(with: RawJSON?)
  /// The user turned it down.
  case cancelled

  /// The user did it, and it has no value.
  public static var completed: TaskOutcome { .completed(with: nil) }

  /// The user did it.
  ///
  /// - Parameter value: the result: a text, true, an id.
  /// - Returns: the outcome.
  public static func completed(_ value: some JSONEncodable) -> TaskOutcome { .completed(with: value.json) }

  /// The user did it.
  ///
  /// - Parameter value: the result.
  /// - Returns: the outcome.
  /// - Throws: an `EncodingFailure` if the result can't be written as JSON.
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
