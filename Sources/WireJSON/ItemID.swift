/// The id of an item: equal to another when type and value are, whatever their spelling
/// (`"a"` is `"\u0061"`, `1` is `1.0`, and `1` is not `"1"`).
public struct ItemID: Hashable, Sendable {
  /// The id in its canonical spelling, as JSON text in UTF-8.
  ///
  /// Strings escape only what has to be escaped, each in its shortest way. Integers of at most 18 digits are plain;
  /// other numbers are digits without zeros at either end, and an exponent.
  public let json: [UInt8]

  /// Takes an id from a string or number.
  /// - Parameter value: The id in any spelling. Anything but a string or number is no id, and gives nil.
  public init?(_ value: RawJSON) {
    guard let json = Self.canonical(value.bytes) else { return nil }
    self.json = json
  }

  /// Takes an id from JSON text that was checked before.
  /// - Parameter text: A string or number as JSON text, without white space around it.
  public init?(trusting text: ArraySlice<UInt8>) {
    guard let json = Self.canonical(text) else { return nil }
    self.json = json
  }

  /// An id that is a string.
  /// - Parameter text: The string itself, without quotes and escapes.
  public init(_ text: String) {
    var writer = JSONWriter()
    writer.string(text)
    json = writer.bytes
  }

  /// An id that is a number.
  /// - Parameter number: The number.
  public init(_ number: Int) {
    let text = Array(String(number).utf8)
    json = Self.canonical(text[...]) ?? text
  }

  /// The id as a value.
  public var raw: RawJSON { RawJSON(trusting: json, 0..<json.count) }
}

extension ItemID: CustomStringConvertible {
  /// The id's JSON text.
  public var description: String { String(decoding: json, as: UTF8.self) }
}

extension ItemID {
  /// The one spelling that all equal ids share; nil for what is neither string nor number.
  static func canonical(_ text: ArraySlice<UInt8>) -> [UInt8]? {
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
