extension Array<UInt8> {
  /// Copies the bytes of a span.
  package init(copying span: Span<UInt8>) {
    self.init()
    append(addingCapacity: span.count) { $0.append(copying: span) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the bytes of a span.
  @inlinable @inline(__always)
  package mutating func append(copying span: Span<UInt8>) {
    let count = span.count
    precondition(count <= freeCapacity)
    // The capacity was just checked, and a span can't overlap memory that is being written.
    unsafe withUnsafeMutableBufferPointer { buffer, initialized in
      unsafe span.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        unsafe (to + initialized).initialize(from: from, count: count)
      }
      initialized += count
    }
  }

  /// Appends a fixed text in UTF-8.
  @inlinable @inline(__always)
  package mutating func append(_ text: StaticString) {
    precondition(text.hasPointerRepresentation)
    // A static text's bytes live as long as the program.
    append(copying: unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
  }
}

extension Span<UInt8> {
  /// The eight bytes from an offset of at most `count - 8`. The first byte is in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count - 8)
    // The bounds were just checked, and any eight bytes are a valid integer.
    return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The four bytes from an offset of at most `count - 4`. The first byte is in the lowest bits.
  @inline(__always)
  private func halfWord(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= count - 4)
    // The bounds were just checked, and any four bytes are a valid integer.
    return unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// The last bytes, fewer than eight, from an offset that is a multiple of eight. Zeros fill the word.
  @inline(__always)
  func tail(from offset: Int) -> UInt64 {
    let rest = count - offset
    precondition(offset >= 0 && rest >= 0 && rest < 8)
    if count >= 8 { return rest == 0 ? 0 : word(at: count - 8) >> UInt64(8 * (8 - rest)) }
    // Fewer than eight bytes in all, so `offset` is 0. Reads may overlap: a byte that is read twice gets the same
    // position both times.
    if rest >= 4 { return UInt64(halfWord(at: 0)) | UInt64(halfWord(at: rest - 4)) << UInt64(8 * (rest - 4)) }
    if rest == 0 { return 0 }
    let (middle, last) = (rest / 2, rest - 1)
    return UInt64(self[0]) | UInt64(self[middle]) << UInt64(8 * middle) | UInt64(self[last]) << UInt64(8 * last)
  }
}

// MARK: - Searches, eight bytes at a time

extension Span<UInt8> {
  /// The offset of the first marked byte from `start` on; the count if there is none.
  @inline(__always)
  func firstOffset(from start: Int, marks: (UInt64) -> UInt64) -> Int {
    precondition(start >= 0)
    let last = count &- 8
    var index = start
    while index <= last {
      // The bounds were just checked, and any eight bytes are a valid integer.
      let word = unsafe UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
      let marks = marks(word)
      if marks != 0 { return index &+ (marks.trailingZeroBitCount >> 3) }
      index &+= 8
    }
    guard index < count else { return count }
    // The remaining bytes are copied to the start of a word. Marks beyond them are ignored.
    let marks = marks(extracting(index...).tail(from: 0))
    return Swift.min(index + (marks.trailingZeroBitCount >> 3), count)
  }

  /// The offset of the first line feed from `start` on; nil if there is none.
  package func firstLineFeed(from start: Int) -> Int? {
    let offset = firstOffset(from: start) { matches(UInt8(ascii: "\n"), in: $0) }
    return offset < count ? offset : nil
  }

  /// Calls a closure with the offset of each line feed, in order.
  @inlinable @inline(__always)
  package func forEachLineFeed(_ body: (_ offset: Int) -> Void) {
    var index = 0
    while index + 8 <= count {
      // In bounds: the eight bytes end at or before the count.
      let word = unsafe UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
      let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
      // The highest bit of each byte is 1 if the byte is a line feed.
      var found =
        ~((difference & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7F7F_7F7F_7F7F_7F7F) | difference | 0x7F7F_7F7F_7F7F_7F7F)
      while found != 0 {
        body(index + found.trailingZeroBitCount / 8)
        found &= found - 1
      }
      index += 8
    }
    while index < count {
      if self[index] == UInt8(ascii: "\n") { body(index) }
      index += 1
    }
  }
}

extension UInt8 {
  /// Whether the byte is white space in JSON.
  @inlinable @inline(__always)
  package var isWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

/// Eight copies of a byte.
@inline(__always)
func broadcast(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

/// Marks, in the highest bit of a byte, the bytes that equal a given byte. The lowest mark is always right; higher ones
/// may be false.
@inline(__always)
func matches(_ byte: UInt8, in word: UInt64) -> UInt64 {
  let difference = word ^ broadcast(byte)
  return (difference &- broadcast(1)) & ~difference & broadcast(0x80)
}

/// Whether two spans have the same bytes.
package func sameBytes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  let count = left.count
  guard count == right.count else { return false }
  guard count >= 8 else { return left.tail(from: 0) == right.tail(from: 0) }
  var index = 0
  while index + 8 < count {
    guard left.word(at: index) == right.word(at: index) else { return false }
    index += 8
  }
  // The last word may overlap the previous one.
  return left.word(at: count - 8) == right.word(at: count - 8)
}

extension String {
  /// Calls a closure with the text's bytes in UTF-8.
  ///
  /// The standard library's `utf8.span` isn't safe here. A text of up to 15 bytes is stored in the caller's stack
  /// frame. In the release build, which optimizes all modules together, that frame ended before the bytes were read.
  @inline(__always)
  func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8 { body(unsafe $0.span) }
  }
}

#if os(macOS) || os(iOS)
  // `InlineArray` is available on Apple's systems from version 26 on.
  typealias EightWords = SIMD8<UInt64>
  typealias Digits = SIMD32<UInt8>

  extension Array {
    /// The elements as a span. On Apple's systems, an array has a span from version 26 on; a slice has one on much
    /// older versions.
    @usableFromInline package var span: Span<Element> {
      @_lifetime(borrow self) get {
        let slice = self[...]
        return unsafe _overrideLifetime(slice.span, borrowing: self)
      }
    }
  }
#else
  typealias EightWords = InlineArray<8, UInt64>
  typealias Digits = InlineArray<20, UInt8>
#endif
