internal import WireJSON

/// Finds our request that an unusable message answers. The message isn't JSON, is nested too deep, has neither `result`
/// nor `error`, or is too large, so that only its beginning was read.
///
/// - Parameters:
///   - message: the message, or its beginning.
///   - isCut: whether it is only the beginning. Then it must contain a `result` or `error`, because a `method` may
///     follow.
/// - Returns: the request's id; nil if no id is found, or the message is a call.
func answeredRequest(in message: ArraySlice<UInt8>, isCut: Bool) -> Int? {
  var (rest, depth) = (message, 0)
  var (id, hasOutcome) = (Int?.none, false)
  while let byte = rest.popFirst() {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    case UInt8(ascii: "\""):
      let name = rest.takeString()
      let value = rest.drop(while: \.isWhiteSpace)
      guard depth == 1, value.first == UInt8(ascii: ":") else { continue }
      switch String(decoding: name.prefix(7), as: UTF8.self) {
      case "method": return nil
      case "result", "error": hasOutcome = true
      case "id":
        let digits = value.dropFirst().drop(while: \.isWhiteSpace).prefix(while: \.isASCIIDigit)
        let end = message[digits.endIndex...].first
        if end == UInt8(ascii: ",") || end == UInt8(ascii: "}") || end?.isWhiteSpace == true {
          id = Int(String(decoding: digits, as: UTF8.self))
        }
      default: continue
      }
      if hasOutcome, let id { return id }
    default: continue
    }
  }
  return hasOutcome || !isCut ? id : nil
}

extension ArraySlice<UInt8> {
  /// Removes the rest of a string including its closing quote, and returns it without the quote.
  fileprivate mutating func takeString() -> ArraySlice {
    var end = startIndex
    while end < endIndex, self[end] != UInt8(ascii: "\"") { end += self[end] == UInt8(ascii: "\\") ? 2 : 1 }
    end = Swift.min(end, endIndex)
    defer { self = self[Swift.min(end + 1, endIndex)...] }
    return self[..<end]
  }
}
