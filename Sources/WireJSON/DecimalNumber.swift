/// A JSON number by its value: digits × 10^exponent, exact, in the one form that each value has.
struct DecimalNumber: Hashable {
  /// Whether it is below zero. Zero is not, however it is spelled.
  let isNegative: Bool
  /// Its digits in ASCII, without zeros at either end; none for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit; 0 for zero.
  let exponent: Int

  /// Reads a valid JSON number. Nil comes back for an exponent beyond ±10^18, unless the value is zero.
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

  /// The value, if it is an integer and fits.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    // No more digits than a 128-bit integer has.
    guard exponent >= 0, digits.count + exponent <= 39 else { return nil }
    return Integer(String(decoding: canonical(plainDigits: 39), as: UTF8.self))
  }

  /// The value's one spelling as JSON text: an integer of few digits, `plainDigits` at most, as such, anything longer
  /// or fractional as digits and exponent.
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
