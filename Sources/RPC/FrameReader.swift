internal import WireJSON

/// Cuts the input into messages, in whichever of the two framings the other side speaks.
///
/// The first byte that isn't white space tells: `{` or `[` means one message a line, anything else LSP's base
/// protocol. Any chunking of the input gives the same messages.
struct FrameReader {
  enum Frame: Equatable {
    /// A message's place in ``FrameReader/bytes``.
    case message(Range<Int>)
    /// A header that can't be read, or an end of the input in the middle of a message; why, and where in it.
    case broken(String, offset: Int)
    /// A message over the limit, whose bytes are skipped.
    case tooLarge
  }

  private enum State {
    /// Nothing but white space has come.
    case undecided
    /// One message a line; `isSkipping` while the rest of a line over the limit goes by.
    case line(isSkipping: Bool)
    /// Between messages, or within a header that has told `contentLength` so far.
    case header(contentLength: Int?, isInside: Bool)
    /// So many bytes of a message are awaited.
    case body(Int)
    /// So many bytes of a message over the limit go by.
    case skipping(Int)
    /// After a broken header: whatever comes before the next header or `{` goes by.
    case lost
  }

  /// The longest line of a header in bytes.
  private static let longestHeaderLine = 8192

  let maxMessageSize: Int
  let maxDepth: Int
  private(set) var framing: Framing?
  private(set) var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var state = State.undecided
  private var hasEnded = false

  init(maxMessageSize: Int, maxDepth: Int) {
    self.maxMessageSize = maxMessageSize
    self.maxDepth = maxDepth
  }

  /// Takes in what was read.
  mutating func append(_ chunk: Span<UInt8>) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    } else if start > 0 {
      bytes.removeFirst(start)
    }
    searched -= start
    start = 0
    // The span's bytes are copied within the call.
    unsafe chunk.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// No more will come: what is there is all there is.
  mutating func end() { hasEnded = true }

  /// The next message, or what is wrong with it; nil when more input is needed.
  mutating func next() -> Frame? {
    while true {
      switch state {
      case .undecided:
        guard decideFraming() else { return nil }
      case .line(let isSkipping):
        switch nextLine(isSkipping: isSkipping) {
        case .done(let frame): return frame
        case .again: continue
        }
      case .header(let contentLength, let isInside):
        switch nextHeaderLine(contentLength, isInside: isInside) {
        case .done(let frame): return frame
        case .again: continue
        }
      case .body(let count):
        guard bytes.count - start >= count else { return hasEnded ? cutOff("a message of \(count) bytes") : nil }
        state = .header(contentLength: nil, isInside: false)
        return .message(take(count))
      case .skipping(let count):
        let skipped = min(count, bytes.count - start)
        _ = take(skipped)
        guard skipped == count else {
          state = .skipping(count - skipped)
          return nil
        }
        state = .header(contentLength: nil, isInside: false)
      case .lost:
        switch findHeaderOrValue() {
        case .done(let frame): return frame
        case .again: continue
        }
      }
    }
  }

  private enum Progress {
    case done(Frame?)
    case again
  }

  private mutating func take(_ count: Int) -> Range<Int> {
    let taken = start..<start + count
    start += count
    searched = start
    return taken
  }

  /// The input ended in the middle of something.
  private mutating func cutOff(_ what: String) -> Frame {
    state = .header(contentLength: nil, isInside: false)
    let rest = take(bytes.count - start)
    return .broken("the input ended within \(what)", offset: rest.count)
  }

  private mutating func decideFraming() -> Bool {
    if bytes.count - start < 3, !hasEnded, start < bytes.count, bytes[start] == 0xEF { return false }
    if bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    while start < bytes.count, bytes[start].isWhiteSpace { start += 1 }
    guard start < bytes.count else { return false }
    searched = start
    framing = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") ? .lines : .headers
    state = framing == .lines ? .line(isSkipping: false) : .header(contentLength: nil, isInside: false)
    return true
  }
}

// MARK: - One message a line

extension FrameReader {
  private mutating func nextLine(isSkipping: Bool) -> Progress {
    guard let end = bytes.firstIndex(ofLineFeedFrom: searched) else {
      if hasEnded, start < bytes.count, !isSkipping { return finish(line: take(bytes.count - start)) }
      searched = bytes.count
      if isSkipping {
        _ = take(bytes.count - start)
      } else if bytes.count - start > maxMessageSize {
        _ = take(bytes.count - start)
        state = .line(isSkipping: true)
        return .done(.tooLarge)
      }
      return .done(nil)
    }
    let line = start..<end
    _ = take(end + 1 - start)
    if isSkipping {
      state = .line(isSkipping: false)
      return .again
    }
    return finish(line: line)
  }

  private func finish(line: Range<Int>) -> Progress {
    if line.count > maxMessageSize { return .done(.tooLarge) }
    return line.allSatisfy { bytes[$0].isWhiteSpace } ? .again : .done(.message(line))
  }
}

// MARK: - LSP's base protocol

extension FrameReader {
  /// The next line without its end, which is LF or CRLF; nil when it isn't whole yet.
  private mutating func takeHeaderLine() -> Range<Int>? {
    guard let end = bytes.firstIndex(ofLineFeedFrom: searched) else {
      searched = bytes.count
      return nil
    }
    let line = start..<(end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
    _ = take(end + 1 - start)
    return line
  }

  private mutating func nextHeaderLine(_ contentLength: Int?, isInside: Bool) -> Progress {
    guard let line = takeHeaderLine() else {
      if bytes.count - start > FrameReader.longestHeaderLine { return lose("a header's line is too long") }
      return .done(hasEnded && (isInside || start < bytes.count) ? cutOff("a header") : nil)
    }
    if line.isEmpty {
      guard isInside else { return .again }
      guard let contentLength else { return lose("a header without Content-Length") }
      state = contentLength > maxMessageSize ? .skipping(contentLength) : .body(contentLength)
      return contentLength > maxMessageSize ? .done(.tooLarge) : .again
    }
    guard let (name, value) = headerField(line) else {
      if !isInside, line.allSatisfy({ bytes[$0].isWhiteSpace }) { return .again }
      return lose("a header's line must be 'Name: value'; Content-Length is the one that is needed")
    }
    guard name == "content-length" else {
      state = .header(contentLength: contentLength, isInside: true)
      return .again
    }
    guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else {
      return lose("Content-Length must be a number of bytes")
    }
    // A number too large to be read is over any limit.
    let count = Int(String(decoding: value, as: UTF8.self)) ?? .max
    guard contentLength == nil || contentLength == count else { return lose("two headers Content-Length differ") }
    state = .header(contentLength: count, isInside: true)
    return .again
  }

  private mutating func lose(_ reason: String) -> Progress {
    state = .lost
    return .done(.broken(reason, offset: 0))
  }

  /// A header's name in lower case and its value without the space around it; nil for what is no header.
  private func headerField(_ line: Range<Int>) -> (name: String, value: ArraySlice<UInt8>)? {
    guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }), colon > line.lowerBound else { return nil }
    let name = bytes[line.lowerBound..<colon]
    guard name.allSatisfy(\.isHeaderNameByte) else { return nil }
    var value = bytes[colon + 1..<line.upperBound]
    while let byte = value.first, byte.isWhiteSpace { value.removeFirst() }
    while let byte = value.last, byte.isWhiteSpace { value.removeLast() }
    return (String(decoding: name, as: UTF8.self).lowercased(), value)
  }

  /// Goes on after a broken header: at the next line that starts a header, or at a line that starts an object, which
  /// is the message that the broken header announced.
  private mutating func findHeaderOrValue() -> Progress {
    while start < bytes.count, bytes[start].isWhiteSpace { _ = take(1) }
    guard start < bytes.count else { return .done(nil) }
    if bytes[start] == UInt8(ascii: "{") { return takeValue() }
    let lineStart = start
    guard let line = takeHeaderLine() else {
      if hasEnded || bytes.count - start > FrameReader.longestHeaderLine { _ = take(bytes.count - start) }
      return .done(nil)
    }
    if headerField(line) != nil {
      start = lineStart
      searched = lineStart
      state = .header(contentLength: nil, isInside: false)
    }
    return .again
  }

  private mutating func takeValue() -> Progress {
    var end = bytes.count
    do throws(JSONError) {
      _ = try MemberScan(bytes.span.extracting(start...), Envelope.names, maxDepth: maxDepth)
    } catch {
      if error.kind == .trailingText {
        end = start + error.offset
      } else if error.kind == .unexpectedEnd, !hasEnded, bytes.count - start <= maxMessageSize {
        return .done(nil)
      } else {
        if takeHeaderLine() == nil { _ = take(bytes.count - start) }
        return .done(.broken(error.message, offset: error.offset))
      }
    }
    state = .header(contentLength: nil, isInside: false)
    return .done(.message(take(end - start)))
  }
}

extension UInt8 {
  fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
  fileprivate var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// A token of RFC 9110, as far as header names of this protocol use it.
  fileprivate var isHeaderNameByte: Bool {
    self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || isASCIIDigit
      || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A)
  }
}
