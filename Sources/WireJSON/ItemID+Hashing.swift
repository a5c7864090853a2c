extension ItemID {
  /// A hash of an id that was not made canonical: equal ids give the same, whatever their spelling.
  ///
  /// It is SipHash-1-3 with a key that is random in each process, as for a `Dictionary`: whoever chooses ids can't make
  /// them collide.
  /// - Parameter text: A string or number as checked JSON text.
  /// - Returns: The hash, whose every bit depends on every byte.
  package static func hash(of text: Span<UInt8>) -> UInt64 {
    if isCanonical(text) { return SipHash.ofProcess.hash(text) }
    let copy = Array(copying: text)
    let spelling = canonical(copy[...]) ?? copy
    return SipHash.ofProcess.hash(spelling.span)
  }

  /// Whether two ids that were not made canonical are equal.
  /// - Parameters:
  ///   - left: A string or number as checked JSON text.
  ///   - right: Another.
  /// - Returns: Whether type and value are the same.
  public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    if sameBytes(left, right) { return true }
    if isCanonical(left) && isCanonical(right) { return false }
    let leftCopy = Array(copying: left)
    let rightCopy = Array(copying: right)
    return canonical(leftCopy[...]) == canonical(rightCopy[...])
  }

  /// Whether an id that was not made canonical is this one.
  /// - Parameter text: A string or number as checked JSON text.
  /// - Returns: Whether type and value are the same.
  public func isEqual(to text: Span<UInt8>) -> Bool { Self.equal(json.span, text) }

  /// Whether a text is surely its own canonical spelling: a string without escapes, or a plain short integer.
  private static func isCanonical(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty, text[0] == UInt8(ascii: "\"") else { return isPlainInteger(text) }
    return !contains(text, UInt8(ascii: "\\"))
  }

  /// Whether a number is an integer of at most 18 digits, spelled as such, and not `-0`.
  static func isPlainInteger(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty else { return false }
    let isNegative = text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard text.count > first, text.count - first <= 18 else { return false }
    if isNegative, text[1] == UInt8(ascii: "0") { return false }
    for index in first..<text.count {
      guard isDigit(text[index]) else { return false }
    }
    return true
  }

  private static func contains(_ text: Span<UInt8>, _ byte: UInt8) -> Bool {
    var index = 0
    while index + 8 <= text.count {
      if matches(byte, in: text.word(at: index)) != 0 { return true }
      index += 8
    }
    return matches(byte, in: text.tail(from: index)) != 0
  }
}
