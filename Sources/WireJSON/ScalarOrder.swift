extension CanonicalScalar {
  /// Compares two strings or numbers, as checked JSON texts: less than zero if the left one comes first, zero if they
  /// mean the same. Numbers go by value, strings by their code points, and numbers before strings.
  package static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    let quote = UInt8(ascii: "\"")
    switch (left.first == quote, right.first == quote) {
    case (false, true): return -1
    case (true, false): return 1
    case (true, true): return compareBytes(characters(of: left), characters(of: right))
    case (false, false):
      if let left = plainInteger(left), let right = plainInteger(right) {
        return left < right ? -1 : left > right ? 1 : 0
      }
      guard let left = DecimalNumber(left), let right = DecimalNumber(right) else {
        // Beyond all exponents that count.
        return compareBytes(left, right)
      }
      return left.compare(to: right)
    }
  }

  /// A text without quotes and escapes. UTF-8 has the order of the code points.
  private static func characters(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(UInt8(ascii: "\\")) else { return text.dropFirst().dropLast() }
    return Array((RawJSON(trusting: Array(text)).string ?? "").utf8)[...]
  }

  private static func compareBytes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    for (byte, other) in zip(left, right) where byte != other { return byte < other ? -1 : 1 }
    return left.count - right.count
  }
}

extension DecimalNumber {
  /// Compares values: less than zero if this is the smaller.
  func compare(to other: DecimalNumber) -> Int {
    let (sign, otherSign) = (self.sign, other.sign)
    guard sign == otherSign, sign != 0 else { return sign - otherSign }
    // The power of ten that is above all digits.
    let (size, otherSize) = (digits.count + exponent, other.digits.count + other.exponent)
    if size != otherSize { return size < otherSize ? -sign : sign }
    for (digit, otherDigit) in zip(digits, other.digits) where digit != otherDigit {
      return digit < otherDigit ? -sign : sign
    }
    return sign * (digits.count - other.digits.count)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
