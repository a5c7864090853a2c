/// The core of all JSON readers in this module: a position in bytes that moves over whole tokens and values. It checks
/// them completely (RFC 8259's grammar, UTF-8, depth) and builds nothing.
///
/// It holds a bare pointer, so it exists only inside the `withUnsafeBytes` of the bytes that it reads. All of its reads
/// are at offsets below `end`, which is checked before each read.
@safe
package struct JSONScanner {
  @usableFromInline let base: UnsafePointer<UInt8>
  /// The offset just after the last byte.
  package let end: Int
  /// The limit of nested arrays and objects.
  @usableFromInline let maxDepth: Int
  /// Whether a line feed counts as white space. Between the lines of JSON Lines it doesn't: it ends the text.
  @usableFromInline let crossesLines: Bool
  /// The offset of the next byte.
  package var position: Int

  /// Reads bytes that must outlive the scanner.
  @inlinable @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, maxDepth: Int, crossesLines: Bool) {
    // An empty buffer may have no address. Nothing is read from it, so any address is fine.
    let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe base = address.assumingMemoryBound(to: UInt8.self)
    end = bytes.count
    position = start
    self.maxDepth = maxDepth
    self.crossesLines = crossesLines
  }

  /// Reads a range of the bytes of another scanner.
  package init(_ other: JSONScanner, from start: Int, to end: Int) {
    unsafe base = other.base
    self.end = end
    position = start
    maxDepth = other.maxDepth
    crossesLines = true
  }

  /// Runs a closure with a scanner over bytes, up to their end. The closure must not keep the scanner. Without
  /// `crossesLines` a line feed doesn't count as white space.
  @inlinable @inline(__always)
  package static func scan<Result, Failure>(
    _ bytes: Span<UInt8>, from start: Int = 0, maxDepth: Int = 512, crossesLines: Bool = true,
    _ body: (inout JSONScanner) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The scanner ends with the closure, and the bytes live as long.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Failure) in
      var scanner = unsafe JSONScanner(buffer, from: start, maxDepth: maxDepth, crossesLines: crossesLines)
      return try body(&scanner)
    }
  }

  /// The byte at an offset below `end`.
  @inlinable @inline(__always)
  package func byte(at offset: Int) -> UInt8 { unsafe base[offset] }

  /// The eight bytes from an offset of at most `end - 8`. The first byte is in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// The four bytes from an offset of at most `end - 4`. The first byte is in the lowest bits.
  @inline(__always)
  func halfWord(at offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt32.self))
  }

  /// The next byte; at the end 0, which starts no token.
  @inlinable @inline(__always)
  package var next: UInt8 { position < end ? byte(at: position) : 0 }

  /// The error at the position: an unexpected end at the end of the bytes, otherwise the kind that the caller names.
  @inline(never)
  package func failure(_ kind: JSONError.Kind) -> JSONError {
    JSONError(position < end ? kind : .unexpectedEnd, at: position)
  }

  /// Skips white space.
  @inlinable @inline(__always)
  package mutating func skipSpace() {
    while position < end {
      let byte = byte(at: position)
      guard byte <= 0x20 else { return }
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || (byte == 0x0A && crossesLines) else { return }
      position += 1
    }
  }

  /// Skips `true`, `false` or `null`, as its first byte announces. `lastFour` holds its last four bytes, the first of
  /// them in the lowest bits.
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

  /// Skips one value that starts at the position. `depth` is the number of arrays and objects around it.
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

  /// Skips a number or a literal.
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

  /// Skips a whole text: one value and white space around it. Returns the range of the value.
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

/// For each open container, whether it is an object, in one bit. The innermost 64 are in a word, the others in an
/// array. So nesting takes no stack and, up to 64 levels, no allocation.
private struct OpenContainers {
  private(set) var count = 0
  private var areObjects: UInt64 = 0
  private var putAway: [UInt64] = []

  @inline(__always)
  var innermostIsObject: Bool { areObjects & 1 != 0 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if count & 63 == 0, count > 0 { putAway.append(areObjects) }
    areObjects = areObjects << 1 | (isObject ? 1 : 0)
    count += 1
  }

  @inline(__always)
  mutating func pop() {
    count -= 1
    areObjects >>= 1
    if count & 63 == 0, let outer = putAway.popLast() { areObjects = outer }
  }
}

extension JSONScanner {
  /// Skips an array or object that starts at the position. It uses a loop, not recursion. `depth` is the number of
  /// containers around it.
  @inline(never)
  mutating func skipContainer(depth: Int) throws(JSONError) {
    var open = OpenContainers()
    repeat {
      let opener = next
      if opener == UInt8(ascii: "{") || opener == UInt8(ascii: "[") {
        guard depth + open.count < maxDepth else { throw JSONError(.tooDeep(limit: maxDepth), at: position) }
        let isObject = opener == UInt8(ascii: "{")
        open.push(isObject: isObject)
        position += 1
        skipSpace()
        if next != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try skipName(orElse: .expectedNameOrBrace) }
          continue
        }
        position += 1
        open.pop()
      } else if opener == UInt8(ascii: "\"") {
        position += 1
        _ = try skipString()
      } else {
        try skipScalar()
      }
      try leaveValue(&open)
    } while open.count > 0
  }

  /// Moves from the end of a value to the start of the next one, over closing brackets, the comma and the name in
  /// between.
  @inline(__always)
  private mutating func leaveValue(_ open: inout OpenContainers) throws(JSONError) {
    while open.count > 0 {
      skipSpace()
      let byte = next
      if byte == UInt8(ascii: ",") {
        position += 1
        skipSpace()
        if open.innermostIsObject { try skipName(orElse: .expectedName) }
        return
      }
      guard byte == (open.innermostIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw failure(open.innermostIsObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
      }
      position += 1
      open.pop()
    }
  }

  /// Skips the name of a field and its colon, up to its value.
  @inline(__always)
  private mutating func skipName(orElse kind: JSONError.Kind) throws(JSONError) {
    guard next == UInt8(ascii: "\"") else { throw failure(kind) }
    position += 1
    _ = try skipString()
    try skipColon()
  }

  /// Skips a colon and the white space around it.
  @inline(__always)
  mutating func skipColon() throws(JSONError) {
    if next != UInt8(ascii: ":") {
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw failure(.expectedColon) }
    }
    position += 1
    skipSpace()
  }

  /// The byte ranges of a field.
  struct Member {
    /// The range of the name, without its quotes.
    var name: Range<Int>
    /// Whether the name is ASCII without escapes, so its bytes are its text.
    var nameIsPlain: Bool
    /// The range of the value.
    var value: Range<Int>
  }

  /// Skips an object that starts at the position. It calls `visit` for each of the object's own fields after checking
  /// the value. `depth` is the number of arrays and objects around the object.
  @inline(__always)
  mutating func skipObject(depth: Int, _ visit: (borrowing JSONScanner, Member) -> Void) throws(JSONError) {
    guard depth < maxDepth else { throw JSONError(.tooDeep(limit: maxDepth), at: position) }
    position += 1
    skipSpace()
    if next == UInt8(ascii: "}") {
      position += 1
      return
    }
    guard next == UInt8(ascii: "\"") else { throw failure(.expectedNameOrBrace) }
    while true {
      position += 1
      let nameStart = position
      let isPlain = try skipString()
      let nameEnd = position - 1
      try skipColon()
      let start = position
      try skipValue(depth: depth + 1)
      visit(self, Member(name: nameStart..<nameEnd, nameIsPlain: isPlain, value: start..<position))
      skipSpace()
      let byte = next
      position += 1
      if byte == UInt8(ascii: ",") {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw failure(.expectedName) }
      } else if byte == UInt8(ascii: "}") {
        return
      } else {
        position -= 1
        throw failure(.expectedCommaOrBrace)
      }
    }
  }
}

extension JSONScanner {
  /// Skips a number, which starts at the position with a digit or a minus.
  @inline(__always)
  mutating func skipNumber() throws(JSONError) {
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit(next) { throw JSONError(.leadingZero, at: position) }
    } else {
      try skipDigits()
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if next | 0x20 == UInt8(ascii: "e") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
  }

  /// Skips one or more digits.
  @inline(__always)
  private mutating func skipDigits() throws(JSONError) {
    guard isDigit(next) else { throw failure(.expectedDigit) }
    repeat { position += 1 } while isDigit(next)
  }
}

/// Whether a byte is an ASCII digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
