extension ItemID {
  /// A hash of an id that was not made canonical: equal ids give the same, whatever their spelling, in every run.
  ///
  /// That it is the same in every run is meant: it makes the order of whatever is built on it reproducible. The price
  /// is that whoever chooses ids can make them collide, which costs time and never correctness.
  /// - Parameter text: A string or number as checked JSON text.
  /// - Returns: The hash, whose every bit depends on every byte.
  public static func hash(of text: Span<UInt8>) -> UInt64 {
    let (hash, hasBackslash) = mix(text)
    let isString = !text.isEmpty && text[0] == UInt8(ascii: "\"")
    if isString ? !hasBackslash : isPlainInteger(text) { return hash }
    let copy = Array(copying: text)
    guard let canonical = canonical(copy[...]) else { return hash }
    return mix(canonical.span).hash
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

  /// The hash that ``hash(of:)`` gives to any spelling of this id.
  public var stableHash: UInt64 { Self.mix(json.span).hash }

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

  /// Folds a text by words: each is multiplied to twice its width, whose halves are joined again. It looks for escapes
  /// on the way, since few texts have any and it is the only thing left to know about a string.
  @inline(__always)
  private static func mix(_ text: Span<UInt8>) -> (hash: UInt64, hasBackslash: Bool) {
    var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(text.count)
    var backslashes = 0 as UInt64
    var index = 0
    while index &+ 8 <= text.count {
      let word = text.word(at: index)
      backslashes |= matches(UInt8(ascii: "\\"), in: word)
      hash = fold(hash ^ word, 0xA076_1D64_78BD_642F)
      index &+= 8
    }
    let tail = text.tail(from: index)
    backslashes |= matches(UInt8(ascii: "\\"), in: tail)
    return (fold(hash ^ tail, 0xE703_7ED1_A0B4_28DB), backslashes != 0)
  }

  @inline(__always)
  private static func fold(_ value: UInt64, _ factor: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: factor)
    return high ^ low
  }
}
