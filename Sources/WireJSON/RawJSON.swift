/// What a JSON value is.
public enum JSONKind: Hashable, Sendable {
  /// Members in braces.
  case object
  /// Elements in brackets.
  case array
  /// Text in quotes.
  case string
  /// A number of any size.
  case number
  /// `true` or `false`.
  case bool
  /// `null`.
  case null

  /// What a valid value is that starts with a byte.
  /// - Parameter byte: The value's first byte.
  @inlinable
  public init(startingWith byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }
}

/// One JSON value as the bytes it came in: checked once, copied never, looked into where asked.
///
/// It shares the storage of the text it was read from, so it may keep a larger text alive than its own. Looking
/// into it (``member(_:)``, ``elements``) reads its bytes each time.
/// ```swift
/// let json = try RawJSON(#"{"to":"next","id":7}"#)
/// json.member("to")?.string  // "next"
/// json.member("id")?.int     // 7
/// ```
public struct RawJSON: Sendable {
  /// The text it was read from.
  public let storage: [UInt8]
  @usableFromInline let startOffset: UInt32
  @usableFromInline let endOffset: UInt32

  /// Reads a whole text: one value and white space around it.
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - maxDepth: How many arrays and objects may be open at once.
  /// - Throws: A ``JSONError`` that says what is wrong and where.
  public init(validating bytes: [UInt8], maxDepth: Int = 512) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: Int(UInt32.max)) }
    let place = try JSONScanner.scan(bytes.span, maxDepth: maxDepth) { (scanner) throws(JSONError) in
      try scanner.skipText()
    }
    self.init(trusting: bytes, place)
  }

  /// Reads a whole text, as ``init(validating:maxDepth:)`` does.
  /// - Parameter text: The text.
  /// - Throws: A ``JSONError`` whose offset counts bytes of UTF-8.
  public init(_ text: String) throws(JSONError) {
    try self.init(validating: Array(text.utf8))
  }

  /// Names a value in a text that was checked before.
  /// - Parameters:
  ///   - storage: The text, below 4 GiB.
  ///   - range: Where the value lies, without white space around it. Were it no valid value, what is read from it
  ///     would be meaningless, though safe.
  @inlinable
  public init(trusting storage: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.count)
    self.storage = storage
    startOffset = UInt32(range.lowerBound)
    endOffset = UInt32(range.upperBound)
  }

  /// Makes the same value in bytes of its own, which lets go of the text it was read from.
  /// - Parameter value: The value.
  public init(copying value: RawJSON) { self.init(trusting: Array(value.bytes), 0..<value.count) }

  /// Where the value starts, in bytes from the start of the text it was read from.
  @inlinable public var start: Int { Int(startOffset) }
  /// Where the value ends, in bytes from the start of the text it was read from.
  @inlinable public var end: Int { Int(endOffset) }
  /// Where the value lies in the text it was read from.
  @inlinable public var range: Range<Int> { start..<end }
  /// The value's length in bytes.
  @inlinable public var count: Int { end - start }

  /// The value's bytes, in UTF-8, shared with the text it was read from.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[range] }
  /// The value's JSON text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The line and column at which the value starts in the text it was read from.
  public var location: SourceLocation { SourceLocation(of: start, in: storage) }

  /// Lends the value's bytes.
  /// - Parameter body: Reads the bytes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  @inlinable
  public func withSpan<Result, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.span.extracting(range))
  }

  /// What the value is.
  public var kind: JSONKind { JSONKind(startingWith: bytes.first ?? 0) }

  /// The value `null`.
  public static let null = RawJSON(trusting: Array("null".utf8), 0..<4)
  /// The value `{}`.
  public static let emptyObject = RawJSON(trusting: Array("{}".utf8), 0..<2)
  /// The value `[]`.
  public static let emptyArray = RawJSON(trusting: Array("[]".utf8), 0..<2)
}

extension RawJSON: CustomStringConvertible {
  /// The value's JSON text.
  public var description: String { text }
}
