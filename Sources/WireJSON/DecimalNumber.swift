/// The exact value of a JSON number: digits × 10^exponent. Equal numbers have equal digits and exponents.
struct DecimalNumber: Hashable {
  /// Whether the number is below zero. False for `-0`.
  let isNegative: Bool
  /// The digits in ASCII, without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit; 0 for zero.
  let exponent: Int

  /// Parses a valid JSON number. Returns nil if the exponent is beyond ±2^60 and the value isn't zero.
  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    var isNegative = false
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    let mark = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? rest.endIndex
    let point = rest[..<mark].firstIndex(of: UInt8(ascii: ".")) ?? mark
    var digits = Array(rest[..<point]) + rest[..<mark].dropFirst(point - rest.startIndex + 1)
    var exponent = -max(mark - point - 1, 0)
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
    guard !digits.isEmpty else {
      self.isNegative = false
      self.digits = []
      self.exponent = 0
      return
    }
    if mark < rest.endIndex {
      guard let shift = Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)), shift.magnitude < 1 << 60 else {
        return nil
      }
      exponent += shift
    }
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
  }

  /// The value as an integer; nil if it isn't an integer or doesn't fit.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    // A 128-bit integer has at most 39 digits.
    guard exponent >= 0, digits.count + exponent <= 39 else { return nil }
    return Integer(String(decoding: canonical(plainDigits: 39), as: UTF8.self))
  }

  /// The canonical JSON text of the value. An integer of up to `plainDigits` digits is written plainly; any other value
  /// as digits and exponent.
  func canonical(plainDigits: Int = 18) -> [UInt8] {
    if digits.isEmpty { return [UInt8(ascii: "0")] }
    let sign = isNegative ? [UInt8(ascii: "-")] : []
    if exponent == 0 { return sign + digits }
    if exponent > 0, digits.count + exponent <= plainDigits {
      return sign + digits + Array(repeating: UInt8(ascii: "0"), count: exponent)
    }
    return sign + digits + Array("e\(exponent)".utf8)
  }
}
