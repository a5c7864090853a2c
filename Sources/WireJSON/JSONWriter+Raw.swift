extension JSONWriter {
  /// Writes a value as the bytes it came in, line feeds between its tokens included.
  ///
  /// - Parameter value: The value.
  public mutating func raw(_ value: RawJSON) { value.withSpan { raw($0) } }

  /// Writes a value as the bytes it came in.
  ///
  /// - Parameter text: Valid JSON text; several values with commas between them count as one.
  public mutating func raw(_ text: Span<UInt8>) {
    put(text.count) { $0.append(copying: text) }
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
