/// Marks, in the highest bit of a byte, the bytes at which a run of plain string text ends: a quote, a backslash, a
/// control character, or a byte that isn't ASCII. The lowest mark is always right; higher ones may be false.
@inline(__always)
func stops(in word: UInt64) -> UInt64 {
  let ones = broadcast(1)
  let quotes = (word ^ broadcast(UInt8(ascii: "\""))) &- ones
  let backslashes = (word ^ broadcast(UInt8(ascii: "\\"))) &- ones
  let controls = word &- broadcast(0x20)
  return (quotes | backslashes | controls | word) & broadcast(0x80)
}

extension JSONScanner {
  /// Skips a string, from just after its opening quote to just after its closing quote. Returns whether it is ASCII
  /// without escapes.
  @inline(__always)
  mutating func skipString() throws(JSONError) -> Bool {
    while position + 8 <= end {
      let stops = stops(in: word(at: position))
      if stops == 0 {
        position += 8
        continue
      }
      position += stops.trailingZeroBitCount >> 3
      if byte(at: position) == UInt8(ascii: "\"") {
        position += 1
        return true
      }
      return try skipRestOfString()
    }
    if end >= 8 {
      // Fewer than eight bytes are left. The last eight bytes are shifted, so zeros follow the string's bytes, and
      // zeros end a run.
      let stops = stops(in: word(at: end - 8) >> UInt64(8 * (position + 8 - end)))
      let stop = position + (stops.trailingZeroBitCount >> 3)
      if stop < end, byte(at: stop) == UInt8(ascii: "\"") {
        position = stop + 1
        return true
      }
    }
    return try skipRestOfString()
  }

  /// Skips the rest of a string, from any position in it to just after its closing quote. Returns whether the rest is
  /// ASCII without escapes.
  @inline(never)
  private mutating func skipRestOfString() throws(JSONError) -> Bool {
    var isPlain = true
    while position < end {
      let byte = byte(at: position)
      if byte >= 0x80 {
        isPlain = false
        try skipNonASCII()
      } else if byte == UInt8(ascii: "\"") {
        position += 1
        return isPlain
      } else if byte == UInt8(ascii: "\\") {
        isPlain = false
        try skipEscape()
      } else if byte < 0x20 {
        throw JSONError(.controlCharacter, at: position)
      } else {
        skipPlain()
      }
    }
    throw JSONError(.unexpectedEnd, at: end)
  }

  /// Skips at least one plain byte, and the plain bytes after it.
  @inline(__always)
  private mutating func skipPlain() {
    position += 1
    while position + 8 <= end {
      let stops = stops(in: word(at: position))
      if stops != 0 {
        position += stops.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
  }

  /// Skips an escape. It accepts an escaped surrogate without its partner: RFC 8259's grammar allows it (section 8.2),
  /// and items are passed on byte for byte.
  @inline(__always)
  private mutating func skipEscape() throws(JSONError) {
    guard position + 1 < end else { throw JSONError(.unexpectedEnd, at: end) }
    switch byte(at: position + 1) {
    case UInt8(ascii: "n"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      for offset in position + 2..<position + 6 {
        guard offset < end else { throw JSONError(.unexpectedEnd, at: end) }
        guard hexDigit(byte(at: offset)) != nil else { throw JSONError(.invalidEscape, at: position) }
      }
      position += 6
    default:
      throw JSONError(.invalidEscape, at: position)
    }
  }

  /// Skips a run of scalars beyond ASCII (Unicode's table 3-7). It examines four bytes together if there are four.
  @inline(__always)
  private mutating func skipNonASCII() throws(JSONError) {
    while position + 4 <= end {
      let bytes = halfWord(at: position)
      if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
        // E0 must be followed by A0 or more (else overlong), ED by less than A0 (else a surrogate).
        let leadAndSecond = bytes & 0x200F
        guard leadAndSecond != 0x0000, leadAndSecond != 0x200D else { throw JSONError(.invalidUTF8, at: position) }
        position += 3
      } else if bytes & 0xC0E0 == 0x80C0 {
        guard bytes & 0x1E != 0 else { throw JSONError(.invalidUTF8, at: position) }
        position += 2
      } else if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
        // The plane, from three bits of the lead and two of the second byte, is 1 to 16.
        let plane = (bytes & 7) << 2 | (bytes >> 12) & 3
        guard (1...16).contains(plane) else { throw JSONError(.invalidUTF8, at: position) }
        position += 4
      } else if bytes & 0x80 == 0 {
        return
      } else {
        return try skipScalarBytewise()
      }
    }
    if next >= 0x80 { try skipScalarBytewise() }
  }

  /// Skips one scalar beyond ASCII. A text that ends within a scalar that could still be valid is an unexpected end;
  /// anything else isn't UTF-8.
  @inline(never)
  private mutating func skipScalarBytewise() throws(JSONError) {
    let start = position
    let second: ClosedRange<UInt8>
    let length: Int
    switch byte(at: start) {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw JSONError(.invalidUTF8, at: start)
    }
    for index in 1..<length {
      guard start + index < end else { throw JSONError(.unexpectedEnd, at: end) }
      guard (index == 1 ? second : 0x80...0xBF).contains(byte(at: start + index)) else {
        throw JSONError(.invalidUTF8, at: start)
      }
    }
    position += length
  }
}

/// The value of a hexadecimal digit, upper or lower case.
@inline(__always)
func hexDigit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
