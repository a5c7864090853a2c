/// A text from outside that is compared or is a key: it equals another text if both have the same bytes in UTF-8.
///
/// Two `String`s are equal if they look the same, however they are spelled, and to find that out takes time that grows
/// with the square of the combining marks on one letter: minutes for 100 kB. The protocol knows a name by its bytes.
/// ```swift
/// var views: [WireText: View] = [:]
/// let view = views[WireText(name)]
/// switch call.method { case "ping": … }
/// ```
public struct WireText: Hashable, Sendable {
  /// The text.
  public let string: String

  /// Takes a text.
  @inlinable
  public init(_ string: String) { self.string = string }

  /// Whether the bytes are the same.
  @inlinable
  public static func == (left: WireText, right: WireText) -> Bool { left.isIdentical(to: right) || left.isLike(right) }

  /// Whether it is the same text in the same place. Short ones have no place but the `String` itself, and most that are
  /// compared are short: `ping` is known by two words.
  @inlinable
  func isIdentical(to other: WireText) -> Bool {
    // Any 16 bytes are two integers, and what they are is looked at by nobody.
    let (mine, others) = unsafe (
      unsafeBitCast(string, to: SIMD2<UInt64>.self), unsafeBitCast(other.string, to: SIMD2<UInt64>.self)
    )
    return mine == others
  }

  @usableFromInline
  func isLike(_ other: WireText) -> Bool { sameBytes(string.utf8.span, other.string.utf8.span) }

  var isASCII: Bool { string.utf8.allSatisfy { $0 < 0x80 } }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    let bytes = string.utf8.span
    // The pointer is the text's own and is used within the call alone.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    // Ends the text, for a text may begin with another.
    hasher.combine(0xFF as UInt8)
  }
}

extension WireText: Comparable {
  /// Whether the bytes of one text come before those of another.
  public static func < (left: WireText, right: WireText) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}

extension WireText: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Takes a text that stands in the program.
  @inlinable
  public init(stringLiteral string: String) { self.init(string) }

  /// The text.
  public var description: String { string }
}

extension WireText: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let string = json.string else { throw DecodingFailure(expected: "a string", in: json) }
    self.init(string)
  }

  /// Writes a string.
  public func write(to writer: inout JSONWriter) { writer.string(string) }

  /// `{"type":"string"}`.
  public static var schema: JSONSchema { String.schema }
}

extension WireText: Encodable {
  /// Writes a string.
  public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}

extension RawJSON {
  /// The text of a string, to be compared: see ``string``.
  public var wireText: WireText? { string.map { WireText($0) } }
}

/// Strings and numbers by what they mean: equal ones have one spelling and one hash, whatever their own spelling is
/// (`"a"` is `"\u0061"`, and `1` is `1.0`).
package enum CanonicalScalar {
  /// A hash of checked text: equal values give the same, whatever their spelling.
  ///
  /// It is SipHash-1-3 with a key that is random in each process, as for a `Dictionary`: whoever chooses the texts
  /// can't make them collide.
  package static func hash(of text: Span<UInt8>) -> UInt64 {
    if isCanonical(text) { return SipHash.ofProcess.hash(text) }
    let copy = Array(copying: text)
    let canonical = spelling(of: copy[...]) ?? copy
    return SipHash.ofProcess.hash(canonical.span)
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

/// SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012): a hash that whoever doesn't
/// know the key can't make collide.
///
/// The standard library's `Hasher` is the same function. That one takes its input in pieces of any size, which for an id
/// of a few bytes costs four times as much as the function itself.
struct SipHash {
  /// The key of this process. It comes from the standard library's own, which is random unless the environment says
  /// otherwise.
  static let ofProcess = SipHash(key: (keyPart(0), keyPart(1)))

  /// The state that the key makes.
  private let start: (UInt64, UInt64, UInt64, UInt64)

  /// A hash with a key of 128 bits.
  init(key: (UInt64, UInt64)) {
    start = (
      key.0 ^ 0x736F_6D65_7073_6575, key.1 ^ 0x646F_7261_6E64_6F6D, key.0 ^ 0x6C79_6765_6E65_7261,
      key.1 ^ 0x7465_6462_7974_6573
    )
  }

  private static func keyPart(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// The hash of some bytes.
  @inline(__always)
  func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var state = State(start)
    var index = 0
    while index &+ 8 <= bytes.count {
      state.add(bytes.word(at: index))
      index &+= 8
    }
    state.add(bytes.tail(from: index) | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finish()
  }

  private struct State {
    private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ start: (UInt64, UInt64, UInt64, UInt64)) { (a, b, c, d) = start }

    @inline(__always)
    mutating func add(_ word: UInt64) {
      d ^= word
      mix()
      a ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      c ^= 0xFF
      mix()
      mix()
      mix()
      return a ^ b ^ c ^ d
    }

    /// One round.
    @inline(__always)
    private mutating func mix() {
      a &+= b
      b = rotate(b, 13) ^ a
      a = rotate(a, 32)
      c &+= d
      d = rotate(d, 16) ^ c
      a &+= d
      d = rotate(d, 21) ^ a
      c &+= b
      b = rotate(b, 17) ^ c
      c = rotate(c, 32)
    }
  }
}

@inline(__always)
private func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }
