internal import WireJSON

/// The answers to one batch, which go out together (JSON-RPC 2.0, section 6).
final class Batch {
  /// The array of answers, which lacks its end until all are there.
  var answers = JSONWriter()
  /// How many of its requests are still worked on.
  var pending = 0
  /// Whether each of its messages was handled.
  var isHandled = false

  init() { answers.beginArray() }

  /// The whole array, once; nil while an answer is missing, or if none was asked for.
  func takeAnswers() -> [UInt8]? {
    guard isHandled, pending == 0, answers.bytes.count > 1 else { return nil }
    answers.endArray()
    return answers.bytes
  }
}
