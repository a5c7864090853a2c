internal import WireJSON

/// A batch that is carried out member by member, and the answers to it, which go out together (JSON-RPC 2.0, section 6).
final class Batch {
  /// The array of the answers that were given at once. It lacks its end, and the late answers.
  private var answers = JSONWriter()
  /// A late answer, and how many bytes of ``answers`` stand before it.
  private var lateAnswers: [(offset: Int, answer: [UInt8]?)] = []
  /// How many late answers are missing.
  private var pending = 0
  /// How many bytes the late answers have.
  private var lateSize = 0
  /// How many bytes of answers there are, with the array's beginning.
  var size: Int { answers.bytes.count + lateSize }
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

  /// Whether a call of a method is left to be carried out.
  func awaits(_ method: WireText) -> Bool {
    guard let next else { return false }
    func calls(_ member: RawJSON) -> Bool {
      member.member("method").map { $0.kind == .string && WireText($0.string ?? "") == method } ?? false
    }
    return calls(next) || (rest?.contains(where: calls) ?? false)
  }

  /// Takes the next member.
  func takeNext() -> RawJSON? {
    defer {
      next = rest?.next()
      // What it came in isn't kept for answers that take their time.
      if next == nil { rest = nil }
    }
    return next
  }

  /// Keeps the place of an answer that comes later. Returns the place.
  func reserve() -> Int {
    lateAnswers.append((answers.bytes.count, nil))
    pending += 1
    return lateAnswers.count - 1
  }

  /// Writes an answer: after those before it, or in a place that was kept for it.
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

  /// The whole array, once; nil while an answer is missing, or if there are none.
  func takeAnswers() -> [UInt8]? {
    guard isHandled, pending == 0, size > 1 else { return nil }
    answers.endArray()
    if lateAnswers.isEmpty { return answers.bytes }
    var (all, copied) = (JSONWriter(), 1)
    all.beginArray()
    // The answers before a late one, then that one. Each was written as an element, so a comma may stand before it.
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
