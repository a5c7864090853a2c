internal import WireJSON

/// A cache of the last request. A request that differs only in its id has the same meaning and needn't be parsed.
/// Clients that send many requests mostly repeat one.
struct RepeatedCallCache: ~Copyable {
  /// Longer messages are rarely repeated.
  private static let longestMessage = 256
  /// A number of this many digits is an integer that fits into an `Int`.
  private static let longestID = 18

  private var message: [UInt8] = []
  /// The ranges of the id and of the parameters in the message.
  private var id = 0..<0
  private var params: Range<Int>?
  private var method: WireText = ""

  /// Stores a request. `range` is its position in the bytes that it was read from.
  mutating func remember(_ call: Call, _ bytes: [UInt8], _ range: Range<Int>) {
    guard let id = call.id, range.count <= RepeatedCallCache.longestMessage else { return }
    message.removeAll(keepingCapacity: true)
    message.append(contentsOf: bytes[range])
    self.id = id.start - range.lowerBound..<id.end - range.lowerBound
    params = call.params.map { $0.start - range.lowerBound..<$0.end - range.lowerBound }
    method = call.method
  }

  /// Checks whether a message is the last request with a number as its id. Returns the range of the id, from the
  /// message's start; nil if it is another message.
  func id(inRepetition bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    let (known, text) = (message.span, bytes.span.extracting(range))
    let end = id.upperBound + text.count - known.count
    guard !known.isEmpty, end > id.lowerBound, end - id.lowerBound <= RepeatedCallCache.longestID,
      sameBytes(text.extracting(..<id.lowerBound), known.extracting(..<id.lowerBound)),
      sameBytes(text.extracting(end...), known.extracting(id.upperBound...)),
      isNumber(text.extracting(id.lowerBound..<end))
    else { return nil }
    return id.lowerBound..<end
  }

  /// Makes the call for a repetition: the last call with a new id. `newID` is the range of the id, from the message's
  /// start.
  func call(_ bytes: [UInt8], from start: Int, id newID: Range<Int>) -> Call {
    var newParams: RawJSON?
    if let params {
      let shift = start + (params.lowerBound < id.lowerBound ? 0 : newID.upperBound - id.upperBound)
      newParams = RawJSON(trusting: bytes, params.lowerBound + shift..<params.upperBound + shift)
    }
    let id = RawJSON(trusting: bytes, start + newID.lowerBound..<start + newID.upperBound)
    return Call(method: method, params: newParams, id: id)
  }

  /// Whether a text is an integer in digits. This is the usual form of request ids.
  private func isNumber(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      guard text[index] >= UInt8(ascii: "0"), text[index] <= UInt8(ascii: "9") else { return false }
    }
    return text[0] != UInt8(ascii: "0") || text.count == 1
  }
}
