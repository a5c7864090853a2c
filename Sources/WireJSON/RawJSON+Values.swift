extension RawJSON {
  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value, if it is `true` or `false`.
  public var bool: Bool? { kind == .bool ? storage[start] == UInt8(ascii: "t") : nil }

  /// The text of a string, its escapes decoded. An escaped surrogate without its partner, which RFC 8259 (section
  /// 8.2) allows and Unicode doesn't, reads as U+FFFD.
  public var string: String? {
    guard kind == .string, count >= 2 else { return nil }
    let content = storage[start + 1..<end - 1]
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    decodeEscapes(in: content, loneSurrogate: { _, decoded in decoded += [0xEF, 0xBF, 0xBD] }, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The value of a number that is an integer and fits: `3`, and also `3.0` and `3e0`.
  public var int: Int? { integer() }

  /// The value of a number that is an integer and fits into a type.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    guard kind == .number else { return nil }
    if let value = plainInt { return Integer(exactly: value) }
    return DecimalNumber(bytes).flatMap { $0.integer() }
  }

  /// The value of a number, rounded to the nearest that a `Double` has; nil where it is beyond its range.
  public var double: Double? {
    guard kind == .number else { return nil }
    if let value = plainInt, value.magnitude <= 1 << 53, value != 0 { return Double(value) }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The value of a number without point and exponent that has at most 18 digits.
  private var plainInt: Int? {
    let isNegative = storage[start] == UInt8(ascii: "-")
    let digits = storage[(isNegative ? start + 1 : start)..<end]
    guard digits.count <= 18 else { return nil }
    var value = 0
    for byte in digits {
      guard isDigit(byte) else { return nil }
      value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}

/// Appends a string's content with its escapes decoded.
/// - Parameters:
///   - content: What stands between the quotes.
///   - loneSurrogate: Appends what stands for an escaped surrogate without its partner.
///   - decoded: Where the text goes, in UTF-8.
func decodeEscapes(
  in content: ArraySlice<UInt8>, loneSurrogate: (UInt32, inout [UInt8]) -> Void, into decoded: inout [UInt8]
) {
  var rest = content
  while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")), backslash + 1 < rest.endIndex {
    decoded += rest[..<backslash]
    let escape = rest[backslash + 1]
    rest = rest[(backslash + 2)...]
    switch escape {
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      guard var scalar = codeUnit(at: &rest) else { continue }
      if (0xD800..<0xDC00).contains(scalar), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        var afterwards = rest.dropFirst(2)
        if let low = codeUnit(at: &afterwards), (0xDC00..<0xE000).contains(low) {
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          rest = afterwards
        }
      }
      if let scalar = Unicode.Scalar(scalar) {
        decoded += String(scalar).utf8
      } else {
        loneSurrogate(scalar, &decoded)
      }
    default: decoded.append(escape)
    }
  }
  decoded += rest
}

/// Takes four hexadecimal digits from the start of a text.
private func codeUnit(at rest: inout ArraySlice<UInt8>) -> UInt32? {
  guard rest.count >= 4 else { return nil }
  var value: UInt32 = 0
  for byte in rest.prefix(4) {
    guard let digit = hexDigit(byte) else { return nil }
    value = value << 4 | digit
  }
  rest = rest.dropFirst(4)
  return value
}
