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
    for index in start..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
  }

  /// Writes text in quotes, escaping what must be: quotes, backslashes and control characters.
  mutating func quote(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for index in text.indices {
      let byte = text[index]
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        bytes.append(byte)
      } else {
        escape(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
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
