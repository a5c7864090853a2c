/// Compares and hashes JSON strings and numbers by value: `"a"` equals `"\u0061"`, and `1` equals `1.0`. Equal values
/// have the same canonical spelling and the same hash.
package enum CanonicalScalar {
  /// Hashes a valid JSON string or number. Equal values have the same hash, however they are spelled.
  ///
  /// The hash is SipHash-1-3 with a key that is random in each process, as for a `Dictionary`. Therefore nobody can
  /// choose texts that collide.
  package static func hash(of text: Span<UInt8>) -> UInt64 {
    let hash = SipHash.ofProcess
    if !text.isEmpty, text[0] == UInt8(ascii: "\"") {
      // Most strings have no escapes. This is checked during the hashing, because ids are hashed often.
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

  /// Whether two valid JSON strings or numbers have the same type and value.
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

  /// Whether a number is an integer of at most 18 digits, without point or exponent, and not `-0`.
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
    // The missing bytes of the tail are zeros. They become the digit 0.
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

  /// The canonical spelling, which all equal ids share; nil for a value that is neither a string nor a number.
  package static func spelling(of text: ArraySlice<UInt8>) -> [UInt8]? {
    switch text.first ?? 0 {
    case UInt8(ascii: "\""): canonicalString(text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): canonicalNumber(text)
    default: nil
    }
  }

  private static func canonicalString(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.count >= 2, text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    // UTF-8 has no encoding for a surrogate without its partner. Until the end it is kept as the three bytes that it
    // would have, which never occur in UTF-8, so it can't be confused with anything else. Then it is written as an
    // escape again.
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
    // A number whose exponent is beyond ±2^60 equals only its own spelling.
    return DecimalNumber(text)?.canonical() ?? Array(text)
  }
}
