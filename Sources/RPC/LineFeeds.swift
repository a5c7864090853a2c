extension [UInt8] {
  /// Where the next line feed is, sought eight bytes at a time.
  func firstIndex(ofLineFeedFrom from: Int) -> Int? {
    let bytes = unsafe span.bytes
    var index = from
    while index + 8 <= bytes.byteCount {
      // In bounds: the eight bytes end at or before the count.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
      let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if zeros != 0 { return index + UInt64(littleEndian: zeros).trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      if self[index] == 0x0A { return index }
      index += 1
    }
    return nil
  }
}
