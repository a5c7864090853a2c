internal import WireJSON

// LSP's base protocol.
extension FrameReader {
  /// The longest line of a header in bytes.
  private static let longestHeaderLine = 8192

  mutating func nextHeaderLine(_ contentLength: Int?, isInside: Bool) -> Progress {
    guard let whole = takeLine() else { return partialHeaderLine(isInside: isInside) }
    let line = withoutEnd(whole)
    if line.isEmpty {
      guard isInside else { return .again }
      guard let contentLength else { return lose("a header without Content-Length") }
      state = contentLength > maxMessageSize ? .skipping(contentLength) : .body(contentLength)
      return contentLength > maxMessageSize ? .done(.tooLarge) : .again
    }
    if line.count > FrameReader.longestHeaderLine { return lose("a header's line is too long") }
    switch headerField(line) {
    case .contentLength(let count?) where contentLength == nil || contentLength == count:
      state = .header(contentLength: count, isInside: true)
      return .again
    case .contentLength(.some): return lose("two headers Content-Length differ")
    case .contentLength(nil): return lose("Content-Length must be a number of bytes")
    case .other:
      state = .header(contentLength: contentLength, isInside: true)
      return .again
    case nil where !isInside && isBlank(line): return .again
    case nil:
      return lose(
        "a header's line must be 'Name: value', such as Content-Length; messages without headers begin with '{', one a line"
      )
    }
  }

  private mutating func partialHeaderLine(isInside: Bool) -> Progress {
    let rest = start..<bytes.count
    if rest.count > FrameReader.longestHeaderLine + 1 { return lose("a header's line is too long", isMidLine: true) }
    guard hasEnded, isInside || !isBlank(rest) else { return .done(nil) }
    return cutOff("a header")
  }

  mutating func nextBody(_ count: Int) -> Progress {
    guard available >= count else { return hasEnded ? cutOff("a message of \(count) bytes") : .done(nil) }
    state = .header(contentLength: nil, isInside: false)
    return .done(.message(take(count)))
  }

  mutating func skip(_ count: Int) -> Progress {
    let skipped = min(count, available)
    _ = take(skipped)
    state = skipped == count ? .header(contentLength: nil, isInside: false) : .skipping(count - skipped)
    return skipped == count ? .again : .done(nil)
  }

  /// The input ended in the middle of something.
  private mutating func cutOff(_ what: String) -> Progress {
    state = .header(contentLength: nil, isInside: false)
    let rest = take(available)
    return .done(.broken("the input ended within \(what)", offset: rest.count))
  }

  private mutating func lose(_ reason: String, isMidLine: Bool = false) -> Progress {
    state = .lost(isMidLine: isMidLine)
    return .done(.broken(reason, offset: 0))
  }

  private func withoutEnd(_ line: Range<Int>) -> Range<Int> {
    let end = line.upperBound - 1
    return line.lowerBound..<(end > line.lowerBound && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
  }
}

// MARK: - A header's line

extension FrameReader {
  private enum HeaderField {
    /// How long the message is in bytes; nil if that is no number.
    case contentLength(Int?)
    case other
  }

  /// What a line of a header says; nil for what is no header.
  private func headerField(_ line: Range<Int>) -> HeaderField? {
    let text = bytes.span.extracting(line)
    var colon = 0
    while colon < text.count, text[colon].isHeaderNameByte { colon += 1 }
    guard colon > 0, colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
    guard isContentLength(text.extracting(..<colon)) else { return .other }
    return .contentLength(number(text.extracting((colon + 1)...)))
  }

  private static let contentLength = Array("content-length".utf8)

  private func isContentLength(_ name: Span<UInt8>) -> Bool {
    let wanted = Self.contentLength.span
    guard name.count == wanted.count else { return false }
    for index in name.indices {
      // A header's name holds nothing but letters, digits, '-' and '_'; only letters change by this bit.
      let byte = name[index] >= UInt8(ascii: "A") && name[index] <= UInt8(ascii: "Z") ? name[index] | 0x20 : name[index]
      guard byte == wanted[index] else { return false }
    }
    return true
  }

  /// A number in digits with white space around it. One too large to be read is over any limit.
  private func number(_ text: Span<UInt8>) -> Int? {
    var (first, end) = (0, text.count)
    while first < end, text[first].isWhiteSpace { first += 1 }
    while end > first, text[end - 1].isWhiteSpace { end -= 1 }
    guard first < end else { return nil }
    var value = 0
    for index in first..<end {
      guard text[index].isASCIIDigit else { return nil }
      value = value > Int.max / 100 ? .max : value * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return value
  }
}

// MARK: - After a broken header

extension FrameReader {
  /// Goes on after a broken header: at the next line that starts a header, or at a line that starts an object, which
  /// is the message that the broken header announced.
  mutating func findHeaderOrValue(isMidLine: Bool) -> Progress {
    if isMidLine { return skipLine() }
    while available > 0, bytes[start].isWhiteSpace { _ = take(1) }
    guard available > 0 else { return .done(nil) }
    if bytes[start] == UInt8(ascii: "{") { return takeValue() }
    let lineStart = start
    guard let line = takeLine() else {
      guard hasEnded || available > FrameReader.longestHeaderLine else { return .done(nil) }
      state = .lost(isMidLine: true)
      return .again
    }
    if line.count <= FrameReader.longestHeaderLine, headerField(withoutEnd(line)) != nil {
      start = lineStart
      searched = lineStart
      state = .header(contentLength: nil, isInside: false)
    }
    return .again
  }

  private mutating func skipLine() -> Progress {
    guard takeLine() != nil else {
      _ = take(available)
      return .done(nil)
    }
    state = .lost(isMidLine: false)
    return .again
  }

  private mutating func takeValue() -> Progress {
    let most = maxMessageSize + 1
    let count: Int
    do throws(JSONError) {
      count = try measureValue(upTo: most)
    } catch {
      switch error.kind {
      case .trailingText: count = countWithoutSpace(before: error.offset)
      case .unexpectedEnd where available >= most: count = most
      case .unexpectedEnd where !hasEnded: return .done(nil)
      default: return loseLine(.broken(error.message, offset: error.offset))
      }
    }
    if count > maxMessageSize {
      _ = take(most)
      return loseLine(.tooLarge)
    }
    state = .header(contentLength: nil, isInside: false)
    return .done(.message(take(count)))
  }

  private func measureValue(upTo most: Int) throws(JSONError) -> Int {
    let window = bytes.span.extracting(start..<min(bytes.count, start + most))
    return try MemberScan(window, Envelope.names, maxDepth: maxDepth).range.upperBound
  }

  /// How long the value is that white space and then something else follows: as long as it is where nothing has come yet.
  private func countWithoutSpace(before offset: Int) -> Int {
    var count = offset
    while bytes[start + count - 1].isWhiteSpace { count -= 1 }
    return count
  }

  private mutating func loseLine(_ frame: Frame) -> Progress {
    state = .lost(isMidLine: true)
    return .done(frame)
  }
}

extension UInt8 {
  fileprivate var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// A token of RFC 9110, as far as header names of this protocol use it.
  fileprivate var isHeaderNameByte: Bool {
    self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || isASCIIDigit
      || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z"))
  }
}
