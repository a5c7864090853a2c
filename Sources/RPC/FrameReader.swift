internal import WireJSON

/// Splits the input into messages, in either of the two framings.
///
/// The first byte that isn't white space decides: `{` or `[` means one message per line, anything else LSP's base
/// protocol. The messages don't depend on how the input is divided into chunks, because every decision depends on the
/// bytes from ``start`` on, never on how many of them have arrived.
///
/// Lines may be typed by a person at a terminal, who also pastes from a dialogue in a document. Then the marks `$ ` and
/// `-->` before a message are skipped, and so are lines that begin with `<--`.
struct FrameReader {
  enum Frame: Equatable {
    /// The range of a message in ``FrameReader/bytes``.
    case message(Range<Int>)
    /// A header that can't be parsed, or an end of the input within a message: the reason, and the offset of the error.
    case broken(String, offset: Int)
    /// A message over the limit, whose bytes are skipped, and the range of its beginning in ``FrameReader/bytes``; nil
    /// if only its header has arrived.
    case tooLarge(beginning: Range<Int>?)
    /// The beginning of a message over the limit that was already reported by its header.
    case beginning(Range<Int>)
    /// A typed line without a message.
    case blank
  }

  private enum State {
    /// Only white space has arrived.
    case undecided
    /// One message per line; `isSkipping` while the rest of a line over the limit is skipped.
    case line(isSkipping: Bool)
    /// Between messages, or within a header. `contentLength` is the length announced so far.
    case header(contentLength: Int?, isInside: Bool)
    /// A message of this many bytes is awaited.
    case body(Int)
    /// This many bytes of a message over the limit are skipped. Its first bytes, which identify it, are read before
    /// unless `hasBegun`.
    case skipping(Int, hasBegun: Bool)
    /// After a broken header: everything before the next header or `{` is skipped.
    case lost(isMidLine: Bool)
  }

  private enum Progress {
    case done(Frame?)
    case again
  }

  /// A buffer of up to this many bytes is reused for the next input, because requests that arrive singly are small.
  private static let reusedSize = 4096
  /// The number of bytes that are read of a message over the limit: enough to identify the request that it answers.
  private static let longestBeginning = 1024

  private let maxMessageSize: Int
  private let maxDepth: Int
  /// Whether a person types the lines.
  private let isTyped: Bool
  private(set) var framing: Framing?
  private(set) var bytes: [UInt8] = []
  /// The offset of the first unused byte.
  private var start = 0
  /// The offset up to which there is no line feed.
  private var searched = 0
  private var state: State
  private(set) var hasEnded = false

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - framing: the framing; nil if the first byte decides.
  ///   - maxMessageSize: the longest message in bytes.
  ///   - maxDepth: the deepest nesting of arrays and objects.
  ///   - isTyped: whether a person types the lines. Then the framing must be `.lines`.
  init(_ framing: Framing? = nil, maxMessageSize: Int, maxDepth: Int, isTyped: Bool = false) {
    self.framing = framing
    self.isTyped = isTyped
    self.maxMessageSize = maxMessageSize
    self.maxDepth = maxDepth
    switch framing {
    case .lines: state = .line(isSkipping: false)
    case .headers: state = .header(contentLength: nil, isInside: false)
    case nil: state = .undecided
    }
  }

  /// Appends received bytes.
  mutating func append(_ chunk: Span<UInt8>) {
    if start == bytes.count, chunk.count <= bytes.capacity, bytes.capacity <= FrameReader.reusedSize {
      // All bytes are used. If a slice of them is still referenced, this allocates a new buffer.
      bytes.removeAll(keepingCapacity: true)
      searched = 0
      start = 0
    } else if start > 0 || bytes.isEmpty {
      // Slices of the old bytes may still be referenced, so the new bytes get a new buffer of exactly the needed size.
      // So a slice never keeps much more memory alive than was read together with it.
      var fresh: [UInt8] = []
      fresh.reserveCapacity(bytes.count - start + chunk.count)
      fresh.append(contentsOf: bytes[start...])
      bytes = fresh
      searched -= start
      start = 0
    }
    bytes.append(addingCapacity: chunk.count) { $0.append(copying: chunk) }
  }

  /// Records the end of the input.
  mutating func end() { hasEnded = true }

  /// The next message, or an error in the input; nil if more input is needed.
  mutating func next() -> Frame? {
    while true {
      let progress: Progress =
        switch state {
        case .undecided: decideFraming()
        case .line(let isSkipping): nextLine(isSkipping: isSkipping)
        case .header(let contentLength, let isInside): nextHeaderLine(contentLength, isInside: isInside)
        case .body(let count): nextBody(count)
        case .skipping(let count, let hasBegun): hasBegun ? skip(count) : beginSkipping(count)
        case .lost(let isMidLine): findHeaderOrValue(isMidLine: isMidLine)
        }
      if case .done(let frame) = progress { return frame }
    }
  }

  /// The number of unused bytes.
  var available: Int { bytes.count - start }

  private mutating func consume(_ count: Int) -> Range<Int> {
    let taken = start..<start + count
    start += count
    searched = start
    return taken
  }

  /// Removes a line including its end; nil if the end hasn't arrived.
  private mutating func consumeLine() -> Range<Int>? {
    guard let end = bytes.span.firstLineFeed(from: searched) else {
      searched = bytes.count
      return nil
    }
    return consume(end + 1 - start)
  }

  /// The number of bytes of a message over the limit that are read. It doesn't depend on how the input is divided.
  private var beginningSize: Int { min(maxMessageSize, FrameReader.longestBeginning) }

  private func beginning(of message: Range<Int>) -> Range<Int> { message.prefix(beginningSize) }

  private mutating func skipWhiteSpace() {
    while available > 0, bytes[start].isWhiteSpace { _ = consume(1) }
  }

  private func isBlank(_ range: Range<Int>) -> Bool { range.allSatisfy { bytes[$0].isWhiteSpace } }

  private mutating func decideFraming() -> Progress {
    while available > 0 {
      if bytes[start].isWhiteSpace {
        _ = consume(1)
      } else if bytes[start...].starts(with: FrameReader.byteOrderMark) {
        _ = consume(3)
      } else {
        break
      }
    }
    let rest = bytes[start...]
    if rest.count < 3, !hasEnded, FrameReader.byteOrderMark.starts(with: rest) { return .done(nil) }
    guard let first = rest.first else { return .done(nil) }
    framing = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .lines : .headers
    state = framing == .lines ? .line(isSkipping: false) : .header(contentLength: nil, isInside: false)
    return .again
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

// MARK: - One message per line

extension FrameReader {
  private mutating func nextLine(isSkipping: Bool) -> Progress {
    guard available > 0 else { return .done(nil) }
    if let line = consumeLine() {
      state = .line(isSkipping: false)
      return isSkipping ? .again : finish(line: line.lowerBound..<line.upperBound - 1)
    }
    let rest = start..<bytes.count
    if isSkipping {
      _ = consume(rest.count)
    } else if isTooLarge(line: rest) {
      state = .line(isSkipping: true)
      return .done(.tooLarge(beginning: beginning(of: consume(rest.count))))
    } else if hasEnded, !rest.isEmpty {
      return finish(line: consume(rest.count))
    }
    return .done(nil)
  }

  private func finish(line: Range<Int>) -> Progress {
    if isTooLarge(line: line) { return .done(.tooLarge(beginning: beginning(of: line))) }
    if isTyped { return finish(typed: line) }
    return isBlank(line) ? .again : .done(.message(line))
  }

  private func finish(typed line: Range<Int>) -> Progress {
    var text = bytes[line].drop(while: \.isWhiteSpace)
    if text.starts(with: "<--".utf8) { return .again }
    for mark in ["$ ", "-->"] where text.starts(with: mark.utf8) {
      text = text.dropFirst(mark.utf8.count).drop(while: \.isWhiteSpace)
    }
    return .done(text.isEmpty ? .blank : .message(text.startIndex..<text.endIndex))
  }

  /// Whether a line is over the limit. A carriage return at its end doesn't count.
  private func isTooLarge(line: Range<Int>) -> Bool {
    line.count > maxMessageSize
      && !(line.count == maxMessageSize + 1 && bytes[line.upperBound - 1] == UInt8(ascii: "\r"))
  }
}

// MARK: - LSP's base protocol

extension FrameReader {
  /// The longest line of a header, in bytes.
  private static let longestHeaderLine = 8192

  private mutating func nextHeaderLine(_ contentLength: Int?, isInside: Bool) -> Progress {
    if !isInside { skipWhiteSpace() }
    if available > 0, bytes[start] == UInt8(ascii: "{") {
      // Within a header this is an error. The line isn't consumed, so the message is read after the error.
      return isInside ? lose("a message begins before the empty line that ends its header") : consumeValue()
    }
    guard let whole = consumeLine() else { return partialHeaderLine(isInside: isInside) }
    let line = withoutEnd(whole)
    if line.isEmpty {
      guard let contentLength else { return lose("a header without Content-Length") }
      state = contentLength > maxMessageSize ? .skipping(contentLength, hasBegun: false) : .body(contentLength)
      return contentLength > maxMessageSize ? .done(.tooLarge(beginning: nil)) : .again
    }
    if line.count > FrameReader.longestHeaderLine { return lose("a header line is too long") }
    switch headerField(line) {
    case .contentLength(let count?) where contentLength == nil || contentLength == count:
      state = .header(contentLength: count, isInside: true)
      return .again
    case .contentLength(.some): return lose("two Content-Length headers differ")
    case .contentLength(nil): return lose("Content-Length must be a number of bytes")
    case .other:
      state = .header(contentLength: contentLength, isInside: true)
      return .again
    case nil:
      return lose(
        "a header line must be 'Name: value', such as Content-Length; without headers, messages begin with '{', one a line"
      )
    }
  }

  private mutating func partialHeaderLine(isInside: Bool) -> Progress {
    let rest = start..<bytes.count
    if rest.count > FrameReader.longestHeaderLine + 1 { return lose("a header line is too long", isMidLine: true) }
    guard hasEnded, isInside || !rest.isEmpty else { return .done(nil) }
    return cutOff("a header")
  }

  private mutating func nextBody(_ count: Int) -> Progress {
    guard available >= count else { return hasEnded ? cutOff("a message of \(count) bytes") : .done(nil) }
    state = .header(contentLength: nil, isInside: false)
    return .done(.message(consume(count)))
  }

  private mutating func beginSkipping(_ count: Int) -> Progress {
    guard available >= beginningSize || hasEnded else { return .done(nil) }
    state = .skipping(count, hasBegun: true)
    return .done(.beginning(beginning(of: start..<bytes.count)))
  }

  private mutating func skip(_ count: Int) -> Progress {
    let skipped = min(count, available)
    _ = consume(skipped)
    state =
      skipped == count ? .header(contentLength: nil, isInside: false) : .skipping(count - skipped, hasBegun: true)
    return skipped == count ? .again : .done(nil)
  }

  /// Reports that the input ended too early.
  private mutating func cutOff(_ what: String) -> Progress {
    state = .header(contentLength: nil, isInside: false)
    let rest = consume(available)
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
    /// The length of the message in bytes; nil if it isn't a number.
    case contentLength(Int?)
    case other
  }

  /// Parses a line of a header; nil if it isn't a header line.
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
      // A header's name consists of letters, digits, '-' and '_'. This bit changes only letters.
      let byte = name[index] >= UInt8(ascii: "A") && name[index] <= UInt8(ascii: "Z") ? name[index] | 0x20 : name[index]
      guard byte == wanted[index] else { return false }
    }
    return true
  }

  /// Parses a number in digits with white space around it. A number that is too large becomes a value over any limit.
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

// MARK: - A message without a header, and after a broken header

extension FrameReader {
  /// Continues after a broken header: at the next header line, or at a line that starts an object, which is a message
  /// without a header.
  private mutating func findHeaderOrValue(isMidLine: Bool) -> Progress {
    if isMidLine { return skipLine() }
    skipWhiteSpace()
    guard available > 0 else { return .done(nil) }
    if bytes[start] == UInt8(ascii: "{") { return consumeValue() }
    let lineStart = start
    guard let line = consumeLine() else {
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
    guard consumeLine() != nil else {
      _ = consume(available)
      return .done(nil)
    }
    state = .lost(isMidLine: false)
    return .again
  }

  private mutating func consumeValue() -> Progress {
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
    if count > maxMessageSize { return loseLine(.tooLarge(beginning: beginning(of: consume(most)))) }
    state = .header(contentLength: nil, isInside: false)
    return .done(.message(consume(count)))
  }

  private func measureValue(upTo most: Int) throws(JSONError) -> Int {
    let window = bytes.span.extracting(start..<min(bytes.count, start + most))
    return try MemberScan(window, Envelope.names, maxDepth: maxDepth).range.upperBound
  }

  /// The length of a value without the white space after it. It is the same before anything else has arrived.
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
  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// Whether the byte may be part of a header name: a token of RFC 9110, limited to the characters that this protocol
  /// uses.
  fileprivate var isHeaderNameByte: Bool {
    self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || isASCIIDigit
      || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z"))
  }
}
