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
  func isLike(_ other: WireText) -> Bool {
    string.withSpan { mine in other.string.withSpan { sameBytes(mine, $0) } }
  }

  var isASCII: Bool { string.utf8.allSatisfy { $0 < 0x80 } }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    // The pointer is the text's own and is used within the call alone.
    string.withSpan { unsafe $0.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
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
