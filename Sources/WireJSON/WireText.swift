/// A text from outside that is compared or used as a key. Two texts are equal if they have the same bytes in UTF-8.
///
/// Two `String`s are equal if they look the same, however they are spelled. Finding this out takes time that grows with
/// the square of the number of combining marks on one letter: minutes for 100 kB. The protocol compares names by bytes.
/// ```swift
/// var views: [WireText: View] = [:]
/// let view = views[WireText(name)]
/// switch call.method { case "ping": … }
/// ```
public struct WireText: Hashable, Sendable {
  /// The text.
  public let string: String

  /// Wraps a text.
  @inlinable
  public init(_ string: String) { self.string = string }

  /// Whether the bytes are the same.
  @inlinable
  public static func == (left: WireText, right: WireText) -> Bool { left.isIdentical(to: right) || left.isLike(right) }

  /// Whether both are surely the same text, because the `String` values have the same bits. A short text is stored
  /// inside the `String`. Most compared texts are short, so comparing two words is enough, for example for `ping`.
  @inlinable
  func isIdentical(to other: WireText) -> Bool {
    // Any 16 bytes are two valid integers, and the integers are only compared.
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
    // The pointer belongs to the text and is used only within the call.
    string.withSpan { unsafe $0.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
    // Marks the end of the text, because one text may begin with another one.
    hasher.combine(0xFF as UInt8)
  }
}

extension WireText: Comparable {
  /// Whether this text's bytes come before the other's.
  public static func < (left: WireText, right: WireText) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}

extension WireText: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Wraps a text literal.
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
  /// The text of a string, for comparisons: see ``string``.
  public var wireText: WireText? { string.map { WireText($0) } }
}
