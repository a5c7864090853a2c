extension JSONScanner {
  /// Moves over a number, which starts at the position with a digit or a minus.
  @inline(__always)
  mutating func skipNumber() throws(JSONError) {
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit(next) { throw JSONError(.leadingZero, at: position) }
    } else {
      try skipDigits()
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if next | 0x20 == UInt8(ascii: "e") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
  }

  /// Moves over one digit or more.
  @inline(__always)
  private mutating func skipDigits() throws(JSONError) {
    guard isDigit(next) else { throw failure(.expectedDigit) }
    repeat { position += 1 } while isDigit(next)
  }
}

/// Whether a byte is an ASCII digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
