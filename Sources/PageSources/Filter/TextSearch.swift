internal import WireJSON

/// A search in one item. It can pause anywhere and continue later.
struct TextSearch {
  /// The work to search a byte. The work to only read a byte is 1.
  private static let workPerByte = 4

  private let finder: WordFinder
  private var found: UInt32 = 0
  private var place: WordFinder.State = 0
  private var folding = TextFolding()
  /// The offset in the item at which the search continues.
  private var position = 0
  /// The offset of the current text's closing quote; 0 between texts.
  private var end = 0

  init(_ finder: WordFinder) { self.finder = finder }

  /// Continues the search. All calls must pass the same item, which is JSON.
  ///
  /// - Parameters:
  ///   - item: the item's JSON.
  ///   - work: the remaining work of this turn. Each byte reduces it by 4.
  /// - Returns: whether every word occurs in one of the item's texts, at any depth; nil if the work was used up first.
  mutating func proceed(over item: Span<UInt8>, _ work: inout Int) -> Bool? {
    let start = position
    defer { work -= (position - start) * TextSearch.workPerByte }
    let limit = min(item.count, position + max(work / TextSearch.workPerByte, 1))
    while position < limit {
      if end == 0 {
        enterText(of: item)
      } else if position < end {
        advanceScalar(of: item)
      } else {
        leaveText()
      }
      if found == finder.all { return true }
    }
    return position < item.count ? nil : false
  }

  /// Moves to the next text, or over a byte outside of texts. A string with a colon after it is a field's name and is
  /// skipped.
  private mutating func enterText(of item: Span<UInt8>) {
    guard item[position] == UInt8(ascii: "\"") else { return position += 1 }
    var quote = position + 1
    while item[quote] != UInt8(ascii: "\"") { quote += item[quote] == UInt8(ascii: "\\") ? 2 : 1 }
    var next = quote + 1
    while next < item.count, item[next].isWhiteSpace { next += 1 }
    if next < item.count, item[next] == UInt8(ascii: ":") {
      position = next
    } else {
      position += 1
      end = quote
    }
  }

  private mutating func leaveText() {
    advance(folding.end())
    place = 0
    position += 1
    end = 0
  }

  @inline(__always)
  private mutating func advanceScalar(of item: Span<UInt8>) {
    let byte = item[position]
    if byte < 0x80, byte != UInt8(ascii: "\\"), folding.kana == nil {
      position += 1
      advance(TextFolding.fold(byte))
    } else {
      advance(folding.fold(nextScalar(of: item)))
    }
  }

  private mutating func advance(_ folded: TextFolding.Bytes) {
    var folded = folded
    while folded.count > 0 { advance(folded.removeFirst()) }
  }

  @inline(__always)
  private mutating func advance(_ byte: UInt8) {
    place = finder.next(place, byte)
    found |= finder.words(at: place)
  }
}

// MARK: - Scalars

extension TextSearch {
  /// Reads a scalar, which may be escaped. The JSON must be valid.
  @inline(never)
  private mutating func nextScalar(of item: Span<UInt8>) -> Unicode.Scalar {
    let byte = item[position]
    if byte == UInt8(ascii: "\\") { return escapedScalar(of: item) }
    let count = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    var value = count == 1 ? UInt32(byte) : UInt32(byte) & 0xFF >> UInt32(count + 1)
    for offset in position + 1..<position + count { value = value << 6 | UInt32(item[offset] & 0x3F) }
    position += count
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func escapedScalar(of item: Span<UInt8>) -> Unicode.Scalar {
    let letter = item[position + 1]
    guard letter == UInt8(ascii: "u") else {
      position += 2
      switch letter {
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{C}"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "t"): return "\t"
      default: return Unicode.Scalar(letter)
      }
    }
    var value = codeUnit(at: position + 2, of: item)
    position += 6
    if value & 0xFC00 == 0xD800, position + 6 <= end, item[position] == UInt8(ascii: "\\"),
      item[position + 1] == UInt8(ascii: "u")
    {
      let low = codeUnit(at: position + 2, of: item)
      if low & 0xFC00 == 0xDC00 {
        value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        position += 6
      }
    }
    // An unpaired surrogate.
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private func codeUnit(at offset: Int, of item: Span<UInt8>) -> UInt32 {
    (offset..<offset + 4).reduce(0) { value, offset in
      let byte = UInt32(item[offset])
      return value << 4 | (byte <= 0x39 ? byte & 0xF : byte & 0xF + 9)
    }
  }
}
