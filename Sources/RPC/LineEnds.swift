internal import WireJSON

extension [UInt8] {
  /// Where the next line feed is, sought eight bytes at a time.
  func firstIndex(ofLineFeedFrom from: Int) -> Int? {
    var index = from
    while index + 8 <= count {
      let difference = word(at: index) ^ 0x0A0A_0A0A_0A0A_0A0A
      let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      if self[index] == 0x0A { return index }
      index += 1
    }
    return nil
  }

  /// Makes JSON text one line: line feeds and carriage returns become spaces. They can only stand between tokens,
  /// so the text means the same.
  mutating func replaceLineEnds(from: Int) {
    var index = from
    while index + 8 <= count {
      let word = word(at: index)
      // Marks the bytes below 0x20. The lowest mark is always right, so there is none where there is no such byte.
      if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0 { replaceLineEnds(in: index..<index + 8) }
      index += 8
    }
    replaceLineEnds(in: index..<count)
  }

  private mutating func replaceLineEnds(in range: Range<Int>) {
    for index in range where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
  }

  /// The eight bytes from an index of at most `count - 8`, the first in the lowest bits.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    // In bounds: both callers see to it that the eight bytes end at or before the count.
    let bytes = unsafe span.bytes
    return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}
