internal import WireJSON

/// A batch that is carried out member by member, and the answers to it, which go out together (JSON-RPC 2.0, section 6).
final class Batch {
  /// The array of answers, which lacks its end until all are there.
  var answers = JSONWriter()
  /// How many of its requests are still worked on.
  var pending = 0
  /// Whether each of its members was carried out.
  var isHandled = false
  private var rest: RawJSON.Elements?
  private var next: RawJSON?

  /// Makes a batch of an array that isn't empty.
  init(_ messages: RawJSON) {
    rest = messages.elements
    next = rest?.next()
    answers.beginArray()
  }

  /// Whether none of its members is left to be carried out.
  var isEmpty: Bool { next == nil }

  /// Takes the next member.
  func takeNext() -> RawJSON? {
    defer {
      next = rest?.next()
      // What it came in isn't kept for answers that take their time.
      if next == nil { rest = nil }
    }
    return next
  }

  /// The whole array, once; nil while an answer is missing, or if none was asked for.
  func takeAnswers() -> [UInt8]? {
    guard isHandled, pending == 0, answers.bytes.count > 1 else { return nil }
    answers.endArray()
    return answers.bytes
  }
}
