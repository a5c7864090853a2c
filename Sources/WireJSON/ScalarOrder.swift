extension CanonicalScalar {
  /// Compares two valid JSON strings or numbers. Returns less than zero if the left one comes first, and zero if they
  /// are equal. Numbers are ordered by value, strings by their code points, and numbers come before strings.
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
        // An exponent is too large to calculate with.
        return compareBytes(left, right)
      }
      return left.compare(to: right)
    }
  }

  /// The content of a string, decoded. UTF-8 sorts by code points.
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
  /// Compares two values. Returns less than zero if this is the smaller one.
  func compare(to other: DecimalNumber) -> Int {
    let (sign, otherSign) = (self.sign, other.sign)
    guard sign == otherSign, sign != 0 else { return sign - otherSign }
    // The power of ten just above the first digit.
    let (size, otherSize) = (digits.count + exponent, other.digits.count + other.exponent)
    if size != otherSize { return size < otherSize ? -sign : sign }
    for (digit, otherDigit) in zip(digits, other.digits) where digit != otherDigit {
      return digit < otherDigit ? -sign : sign
    }
    return sign * (digits.count - other.digits.count)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
