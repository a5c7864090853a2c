internal import WireJSON

/// A batch whose messages are handled one by one, and the responses to them, which are sent together (JSON-RPC 2.0,
/// section 6).
final class Batch {
  /// The array of the responses that were given immediately. It has no end yet, and no late responses.
  private var answers = JSONWriter()
  /// The late responses, each with the number of bytes of ``answers`` before it. A response is nil until it is given.
  private var lateAnswers: [(offset: Int, answer: [UInt8]?)] = []
  /// The number of late responses that are missing.
  private var pending = 0
  /// The number of bytes of the late responses.
  private var lateSize = 0
  /// The number of bytes of all responses, including the array's beginning.
  var size: Int { answers.bytes.count + lateSize }
  /// Whether all messages of the batch were handled.
  var isHandled = false
  private var rest: RawJSON.Elements?
  private var next: RawJSON?

  /// Makes a batch of an array, which must not be empty.
  init(_ messages: RawJSON) {
    rest = messages.elements
    next = rest?.next()
    answers.beginArray()
  }

  /// Whether all messages were taken.
  var isEmpty: Bool { next == nil }

  /// Whether the remaining messages contain a call of a method.
  func awaits(_ method: WireText) -> Bool {
    guard let next else { return false }
    func calls(_ member: RawJSON) -> Bool {
      member.member("method").map { $0.kind == .string && WireText($0.string ?? "") == method } ?? false
    }
    return calls(next) || (rest?.contains(where: calls) ?? false)
  }

  /// Removes and returns the next message.
  func takeNext() -> RawJSON? {
    defer {
      next = rest?.next()
      // The text of the batch isn't kept while responses are missing.
      if next == nil { rest = nil }
    }
    return next
  }

  /// Reserves a position for a response that is given later, and returns its index.
  func reserve() -> Int {
    lateAnswers.append((answers.bytes.count, nil))
    pending += 1
    return lateAnswers.count - 1
  }

  /// Writes a response: at a reserved position, or at the end.
  func write(inPlace place: Int?, _ answer: (inout JSONWriter) -> Void) {
    if let place {
      var writer = JSONWriter()
      answer(&writer)
      lateAnswers[place].answer = writer.bytes
      pending -= 1
      lateSize += writer.bytes.count
    } else {
      answer(&answers)
    }
  }

  /// Returns the whole array, once. Nil while responses are missing, or if there are none.
  func takeAnswers() -> [UInt8]? {
    guard isHandled, pending == 0, size > 1 else { return nil }
    answers.endArray()
    if lateAnswers.isEmpty { return answers.bytes }
    var (all, copied) = (JSONWriter(), 1)
    all.beginArray()
    // Copies the responses before each late one, and then the late one. A comma may precede each, because each was
    // written as an element.
    func copy(to end: Int) {
      let elements = answers.bytes[copied..<end].drop { $0 == UInt8(ascii: ",") }
      if !elements.isEmpty { all.raw(elements.span) }
      copied = end
    }
    for (offset, answer) in lateAnswers {
      copy(to: offset)
      if let answer { all.raw(answer.span) }
    }
    copy(to: answers.bytes.count - 1)
    all.endArray()
    return all.bytes
  }
}
