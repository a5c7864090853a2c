internal import WireJSON

/// Cuts the input into messages, in whichever of the two framings the other side speaks.
///
/// The first byte that isn't white space tells: `{` or `[` means one message a line, anything else LSP's base
/// protocol. Any chunking of the input gives the same messages: whatever is decided depends on the bytes from
/// ``start`` on, never on how many of them have come.
struct FrameReader {
  enum Frame: Equatable {
    /// A message's place in ``FrameReader/bytes``.
    case message(Range<Int>)
    /// A header that can't be read, or an end of the input in the middle of a message; why, and where in it.
    case broken(String, offset: Int)
    /// A message over the limit, whose bytes are skipped.
    case tooLarge
  }

  enum State {
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
    case lost(isMidLine: Bool)
  }

  enum Progress {
    case done(Frame?)
    case again
  }

  /// Up to so many bytes of room serve one input after the other: requests that come one at a time are small.
  private static let reusedSize = 4096

  let maxMessageSize: Int
  let maxDepth: Int
  private(set) var framing: Framing?
  private(set) var bytes: [UInt8] = []
  /// Where what isn't used yet starts.
  var start = 0
  /// Up to where no line feed was found.
  var searched = 0
  var state: State
  private(set) var hasEnded = false

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - framing: how messages are told apart; nil where the first byte tells.
  ///   - maxMessageSize: the longest message in bytes.
  ///   - maxDepth: how deep arrays and objects may lie in each other.
  init(_ framing: Framing? = nil, maxMessageSize: Int, maxDepth: Int) {
    self.framing = framing
    self.maxMessageSize = maxMessageSize
    self.maxDepth = maxDepth
    switch framing {
    case .lines: state = .line(isSkipping: false)
    case .headers: state = .header(contentLength: nil, isInside: false)
    case nil: state = .undecided
    }
  }

  /// Takes in what was read.
  mutating func append(_ chunk: Span<UInt8>) {
    if start == bytes.count, chunk.count <= bytes.capacity, bytes.capacity <= FrameReader.reusedSize {
      // All is used. If a slice is still held, this gives the new bytes room of their own.
      bytes.removeAll(keepingCapacity: true)
      searched = 0
      start = 0
    } else if start > 0 || bytes.isEmpty {
      // Slices of the old bytes may be held by whoever got them, so the new ones get room of their own, and just as
      // much as they need: a slice then never keeps much more than what was read with it.
      var fresh: [UInt8] = []
      fresh.reserveCapacity(bytes.count - start + chunk.count)
      fresh.append(contentsOf: bytes[start...])
      bytes = fresh
      searched -= start
      start = 0
    }
    bytes.append(addingCapacity: chunk.count) { $0.append(copying: chunk) }
  }

  /// No more will come: what is there is all there is.
  mutating func end() { hasEnded = true }

  /// The next message, or what is wrong with it; nil when more input is needed.
  mutating func next() -> Frame? {
    while true {
      let progress: Progress =
        switch state {
        case .undecided: decideFraming()
        case .line(let isSkipping): nextLine(isSkipping: isSkipping)
        case .header(let contentLength, let isInside): nextHeaderLine(contentLength, isInside: isInside)
        case .body(let count): nextBody(count)
        case .skipping(let count): skip(count)
        case .lost(let isMidLine): findHeaderOrValue(isMidLine: isMidLine)
        }
      if case .done(let frame) = progress { return frame }
    }
  }

  /// How many bytes aren't used yet.
  var available: Int { bytes.count - start }

  mutating func take(_ count: Int) -> Range<Int> {
    let taken = start..<start + count
    start += count
    searched = start
    return taken
  }

  /// Takes a line with its end; nil when the end hasn't come yet.
  mutating func takeLine() -> Range<Int>? {
    guard let end = bytes.firstIndex(ofLineFeedFrom: searched) else {
      searched = bytes.count
      return nil
    }
    return take(end + 1 - start)
  }

  func isBlank(_ range: Range<Int>) -> Bool { range.allSatisfy { bytes[$0].isWhiteSpace } }

  private mutating func decideFraming() -> Progress {
    while available > 0 {
      if bytes[start].isWhiteSpace {
        _ = take(1)
      } else if bytes[start...].starts(with: FrameReader.byteOrderMark) {
        _ = take(3)
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

// MARK: - One message a line

extension FrameReader {
  private mutating func nextLine(isSkipping: Bool) -> Progress {
    guard available > 0 else { return .done(nil) }
    if let line = takeLine() {
      state = .line(isSkipping: false)
      return isSkipping ? .again : finish(line: line.lowerBound..<line.upperBound - 1)
    }
    let rest = start..<bytes.count
    if isSkipping {
      _ = take(rest.count)
    } else if isTooLarge(line: rest) {
      _ = take(rest.count)
      state = .line(isSkipping: true)
      return .done(.tooLarge)
    } else if hasEnded, !rest.isEmpty {
      return finish(line: take(rest.count))
    }
    return .done(nil)
  }

  private func finish(line: Range<Int>) -> Progress {
    if isTooLarge(line: line) { return .done(.tooLarge) }
    return isBlank(line) ? .again : .done(.message(line))
  }

  /// Whether a line is over the limit, to which the carriage return before its end doesn't count.
  private func isTooLarge(line: Range<Int>) -> Bool {
    line.count > maxMessageSize
      && !(line.count == maxMessageSize + 1 && bytes[line.upperBound - 1] == UInt8(ascii: "\r"))
  }
}

extension UInt8 {
  var isWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
