/// Strings and numbers by what they mean: equal ones have one spelling and one hash, whatever their own spelling is
/// (`"a"` is `"\u0061"`, and `1` is `1.0`).
package enum CanonicalScalar {
  /// A hash of checked text: equal values give the same, whatever their spelling.
  ///
  /// It is SipHash-1-3 with a key that is random in each process, as for a `Dictionary`: whoever chooses the texts
  /// can't make them collide.
  package static func hash(of text: Span<UInt8>) -> UInt64 {
    let hash = SipHash.ofProcess
    if !text.isEmpty, text[0] == UInt8(ascii: "\"") {
      // Most strings have no escape. That is found out while they are hashed, because ids are hashed often.
      var escapes: UInt64 = 0
      let result = hash.hash(text) { escapes |= matches(UInt8(ascii: "\\"), in: $0) }
      if escapes == 0 { return result }
    } else if isPlainInteger(text) {
      return hash.hash(text)
    }
    let copy = Array(copying: text)
    let canonical = spelling(of: copy[...]) ?? copy
    return hash.hash(canonical.span)
  }

  /// Whether two strings or numbers, as checked JSON texts, mean the same: in type and value.
  package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    if sameBytes(left, right) { return true }
    if isCanonical(left) && isCanonical(right) { return false }
    let leftCopy = Array(copying: left)
    let rightCopy = Array(copying: right)
    return spelling(of: leftCopy[...]) == spelling(of: rightCopy[...])
  }

  /// Whether a text is surely its own canonical spelling: a string without escapes, or a plain short integer.
  private static func isCanonical(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty, text[0] == UInt8(ascii: "\"") else { return isPlainInteger(text) }
    return !contains(text, UInt8(ascii: "\\"))
  }

  /// Whether a number is an integer of at most 18 digits, spelled as such, and not `-0`.
  private static func isPlainInteger(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty else { return false }
    let isNegative = text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard text.count > first, text.count - first <= 18 else { return false }
    if isNegative, text[1] == UInt8(ascii: "0") { return false }
    let digits = text.extracting(first...)
    var index = 0
    while index + 8 <= digits.count {
      guard areDigits(digits.word(at: index)) else { return false }
      index += 8
    }
    // Zeros fill up a tail: they are made digits.
    return areDigits(digits.tail(from: index) | broadcast(UInt8(ascii: "0")) << UInt64(8 * (digits.count - index)))
  }

  private static func areDigits(_ word: UInt64) -> Bool {
    let (highHalves, zeros) = (broadcast(0xF0), broadcast(UInt8(ascii: "0")))
    return word & highHalves == zeros && (word &+ broadcast(6)) & highHalves == zeros
  }

  private static func contains(_ text: Span<UInt8>, _ byte: UInt8) -> Bool {
    var index = 0
    while index + 8 <= text.count {
      if matches(byte, in: text.word(at: index)) != 0 { return true }
      index += 8
    }
    return matches(byte, in: text.tail(from: index)) != 0
  }

  /// The one spelling that all equal ids share; nil for what is neither string nor number.
  package static func spelling(of text: ArraySlice<UInt8>) -> [UInt8]? {
    switch text.first ?? 0 {
    case UInt8(ascii: "\""): canonicalString(text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): canonicalNumber(text)
    default: nil
    }
  }

  private static func canonicalString(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.count >= 2, text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    // A surrogate without its partner has no place in UTF-8. It is kept as the bytes that it would have had
    // (none of which UTF-8 uses), so that it stays apart from all else, and spelled as an escape again at the end.
    var decoded: [UInt8] = []
    decodeEscapes(
      in: text.dropFirst().dropLast(),
      loneSurrogate: { unit, decoded in
        decoded += [0xED, UInt8(0x80 | (unit >> 6) & 0x3F), UInt8(0x80 | unit & 0x3F)]
      }, into: &decoded)
    var writer = JSONWriter()
    writer.quote(decoded.span)
    return spellSurrogates(in: writer.bytes)
  }

  private static func spellSurrogates(in text: [UInt8]) -> [UInt8] {
    var spelled: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == 0xED, index + 2 < text.count, text[index + 1] >= 0xA0 {
        let unit = 0xD000 | UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
        spelled += Array("\\u\(String(unit, radix: 16))".utf8)
        index += 3
      } else {
        spelled.append(text[index])
        index += 1
      }
    }
    return spelled
  }

  private static func canonicalNumber(_ text: ArraySlice<UInt8>) -> [UInt8] {
    if isPlainInteger(text.span) { return Array(text) }
    // A number whose exponent has a billion billion and more is equal to its own spelling alone.
    return DecimalNumber(text)?.canonical() ?? Array(text)
  }
}
