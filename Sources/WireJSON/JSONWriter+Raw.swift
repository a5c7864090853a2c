extension JSONWriter {
  /// Writes a value as the bytes it came in.
  /// - Parameters:
  ///   - value: The value.
  ///   - replacingLineFeeds: Whether line feeds and carriage returns become spaces, as line framing needs. They can
  ///     only stand between tokens, so the value stays the same.
  public mutating func raw(_ value: RawJSON, replacingLineFeeds: Bool = false) {
    value.withSpan { raw($0, replacingLineFeeds: replacingLineFeeds) }
  }

  /// Writes a value as the bytes it came in.
  /// - Parameters:
  ///   - text: Valid JSON text; several values with commas between them count as one.
  ///   - replacingLineFeeds: Whether line feeds and carriage returns become spaces.
  public mutating func raw(_ text: Span<UInt8>, replacingLineFeeds: Bool = false) {
    separate()
    let start = bytes.count
    bytes.append(copying: text)
    if replacingLineFeeds { replaceLineFeeds(from: start) }
  }

  /// Writes items as the bytes they came in, with commas between.
  /// - Parameters:
  ///   - items: The items.
  ///   - range: Which of them.
  ///   - replacingLineFeeds: Whether line feeds and carriage returns become spaces.
  public mutating func items(_ items: RawItems, _ range: Range<Int>, replacingLineFeeds: Bool = false) {
    for slice in items.slices[range] {
      raw(items.bytes.span.extracting(slice.range), replacingLineFeeds: replacingLineFeeds)
    }
  }

  private mutating func replaceLineFeeds(from start: Int) {
    var index = start
    while index < bytes.count {
      if index + 8 <= bytes.count {
        let word = bytes.span.word(at: index)
        let breaks = matches(UInt8(ascii: "\n"), in: word) | matches(UInt8(ascii: "\r"), in: word)
        guard breaks != 0 else {
          index += 8
          continue
        }
        index += breaks.trailingZeroBitCount >> 3
      }
      if bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") { bytes[index] = UInt8(ascii: " ") }
      index += 1
    }
  }

  /// Writes text in quotes, escaping what must be: quotes, backslashes and control characters.
  mutating func quote(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = firstToEscape(in: text, from: start)
      bytes.append(copying: text.extracting(start..<end))
      guard end < text.count else { break }
      escape(text[end])
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The offset of the first byte that must be escaped, from an offset on, or the end's.
  private func firstToEscape(in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index + 8 <= text.count {
      let word = text.word(at: index)
      // The marks of bytes beyond ASCII are dropped: UTF-8 goes through as it is.
      let stops = stops(in: word) & ~word
      if stops != 0 { return index + (stops.trailingZeroBitCount >> 3) }
      index += 8
    }
    while index < text.count, text[index] >= 0x20, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\")
    {
      index += 1
    }
    return index
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = StaticString("0123456789abcdef")
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      for nibble in [byte >> 4, byte & 0xF] {
        // A nibble is below 16, the count of the digits.
        bytes.append(unsafe digits.utf8Start[Int(nibble)])
      }
    }
  }
}
