/// The core of every reader here: a position in bytes that moves over whole tokens and values, checking them in full
/// (RFC 8259's grammar, UTF-8, depth) and building nothing.
///
/// It holds a bare pointer, so it lives only inside the `withUnsafeBytes` of the bytes it reads, never longer.
/// All of its reads are at offsets below `end`, which is checked before each.
@safe
package struct JSONScanner {
  @usableFromInline let base: UnsafePointer<UInt8>
  /// The offset just after the last byte.
  package let end: Int
  /// How many arrays and objects may be open at once.
  @usableFromInline let maxDepth: Int
  /// Whether a line feed is white space. Between the lines of JSON Lines it is not: it ends the text.
  @usableFromInline let crossesLines: Bool
  /// The offset of the next byte.
  package var position: Int

  /// Reads bytes that outlive the scanner.
  @inlinable @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, maxDepth: Int, crossesLines: Bool) {
    // An empty buffer may have no address; nothing is read from it, so any address will do.
    let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe base = address.assumingMemoryBound(to: UInt8.self)
    end = bytes.count
    position = start
    self.maxDepth = maxDepth
    self.crossesLines = crossesLines
  }

  /// Reads a part of what another scanner reads.
  package init(_ other: JSONScanner, from start: Int, to end: Int) {
    unsafe base = other.base
    self.end = end
    position = start
    maxDepth = other.maxDepth
    crossesLines = true
  }

  /// Lends a scanner over bytes.
  /// - Parameters:
  ///   - bytes: The text, or its part that ends where reading must end.
  ///   - start: The offset to start at.
  ///   - maxDepth: How many arrays and objects may be open at once.
  ///   - crossesLines: Whether a line feed is white space.
  ///   - body: Uses the scanner, and must not keep it.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  @inlinable @inline(__always)
  package static func scan<Result, Failure>(
    _ bytes: Span<UInt8>, from start: Int = 0, maxDepth: Int = 512, crossesLines: Bool = true,
    _ body: (inout JSONScanner) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The scanner ends with the closure, within which the bytes live.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Failure) in
      var scanner = unsafe JSONScanner(buffer, from: start, maxDepth: maxDepth, crossesLines: crossesLines)
      return try body(&scanner)
    }
  }

  /// The byte at an offset below `end`.
  @inlinable @inline(__always)
  package func byte(at offset: Int) -> UInt8 { unsafe base[offset] }

  /// The eight bytes from an offset of at most `end - 8`, the first in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// The four bytes from an offset of at most `end - 4`, the first in the lowest bits.
  @inline(__always)
  func halfWord(at offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt32.self))
  }

  /// The next byte, or 0, which starts no token, at the end.
  @inlinable @inline(__always)
  package var next: UInt8 { position < end ? byte(at: position) : 0 }

  /// What stopped the reading at the position: the end, or the fault that the caller names.
  @inline(never)
  package func failure(_ kind: JSONError.Kind) -> JSONError {
    JSONError(position < end ? kind : .unexpectedEnd, at: position)
  }

  /// Moves over white space.
  @inlinable @inline(__always)
  package mutating func skipSpace() {
    while position < end {
      let byte = byte(at: position)
      guard byte <= 0x20 else { return }
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || (byte == 0x0A && crossesLines) else { return }
      position += 1
    }
  }

  /// Moves over `true`, `false` or `null`, whichever the next byte announces.
  /// - Parameters:
  ///   - literal: The literal.
  ///   - lastFour: Its last four bytes, the first of them in the lowest bits.
  /// - Throws: What is wrong with it.
  @inline(__always)
  private mutating func skipLiteral(_ literal: StaticString, lastFour: UInt32) throws(JSONError) {
    let count = literal.utf8CodeUnitCount
    guard position + count <= end, halfWord(at: position + count - 4) == lastFour else {
      throw literalFailure(literal)
    }
    position += count
  }

  @inline(never)
  private func literalFailure(_ literal: StaticString) -> JSONError {
    var count = 0
    // The index is below the literal's count.
    while position + count < end, unsafe byte(at: position + count) == literal.utf8Start[count] { count += 1 }
    return position + count < end ? failure(.expectedValue) : JSONError(.unexpectedEnd, at: end)
  }

  /// Moves over one value that starts at the position.
  /// - Parameter depth: How many arrays and objects are open around it.
  /// - Throws: What is wrong with it.
  @inline(__always)
  package mutating func skipValue(depth: Int) throws(JSONError) {
    switch next {
    case UInt8(ascii: "\""):
      position += 1
      _ = try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipContainer(depth: depth)
    default:
      try skipScalar()
    }
  }

  /// Moves over a number or a literal.
  @inline(__always)
  mutating func skipScalar() throws(JSONError) {
    switch next {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try skipNumber()
    case UInt8(ascii: "t"): try skipLiteral("true", lastFour: 0x6575_7274)
    case UInt8(ascii: "f"): try skipLiteral("false", lastFour: 0x6573_6C61)
    case UInt8(ascii: "n"): try skipLiteral("null", lastFour: 0x6C6C_756E)
    default: throw failure(.expectedValue)
    }
  }

  /// Moves over a whole text: one value, and white space around it.
  /// - Returns: Where the value lies.
  package mutating func skipText() throws(JSONError) -> Range<Int> {
    skipSpace()
    let start = position
    try skipValue(depth: 0)
    let valueEnd = position
    skipSpace()
    guard position == end else { throw JSONError(.trailingText, at: position) }
    return start..<valueEnd
  }
}
