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
    put(text.count) { output in
      var start = 0
      while replacingLineFeeds {
        let end = firstLineBreak(in: text, from: start)
        guard end < text.count else { break }
        output.append(copying: text.extracting(start..<end))
        output.append(UInt8(ascii: " "))
        start = end + 1
      }
      output.append(copying: text.extracting(start...))
    }
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

  /// Writes text in quotes, escaping what must be: quotes, backslashes and control characters.
  mutating func quote(_ text: Span<UInt8>) {
    let plainEnd = firstToEscape(in: text, from: 0)
    // No escape takes more than six bytes.
    put(text.count + 2 + 5 * countToEscape(in: text, from: plainEnd)) { output in
      output.append(UInt8(ascii: "\""))
      var (start, end) = (0, plainEnd)
      while end < text.count {
        output.append(copying: text.extracting(start..<end))
        output.appendEscape(of: text[end])
        start = end + 1
        end = firstToEscape(in: text, from: start)
      }
      output.append(copying: text.extracting(start...))
      output.append(UInt8(ascii: "\""))
    }
  }
}

/// The offset of the first byte, from an offset on, that must be escaped, or the end's.
private func firstToEscape(in text: Span<UInt8>, from start: Int) -> Int {
  // The marks of bytes beyond ASCII are dropped: UTF-8 goes through as it is.
  first(in: text, from: start) { word in stops(in: word) & ~word }
}

/// How many bytes must be escaped, from an offset on.
private func countToEscape(in text: Span<UInt8>, from start: Int) -> Int {
  var count = 0
  var index = start
  while index < text.count {
    count += 1
    index = firstToEscape(in: text, from: index + 1)
  }
  return count
}

/// The offset of the first line feed or carriage return, from an offset on, or the end's.
private func firstLineBreak(in text: Span<UInt8>, from start: Int) -> Int {
  first(in: text, from: start) { word in
    matches(UInt8(ascii: "\n"), in: word) | matches(UInt8(ascii: "\r"), in: word)
  }
}

/// The offset of the first byte that is marked, from an offset on, or the end's.
@inline(__always)
private func first(in text: Span<UInt8>, from start: Int, marks: (UInt64) -> UInt64) -> Int {
  var index = start
  while index + 8 <= text.count {
    let marks = marks(text.word(at: index))
    if marks != 0 { return index + (marks.trailingZeroBitCount >> 3) }
    index += 8
  }
  // The rest stands in a word of its own; behind its end there is nothing to be found.
  guard index < text.count else { return text.count }
  let marks = marks(text.extracting(index...).tail(from: 0))
  return min(index + (marks.trailingZeroBitCount >> 3), text.count)
}

extension OutputSpan<UInt8> {
  /// Appends the escape of a byte.
  fileprivate mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append("u00" as StaticString)
      for nibble in [byte >> 4, byte & 0xF] {
        append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
      }
    }
  }
}
