extension Span<UInt8> {
  /// Whether another span has the same bytes. Compares words, since items are compared whole.
  @inline(__always)
  func hasBytes(of other: borrowing Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    // Raw views of the same bytes, which live as long as the spans do.
    let (bytes, otherBytes) = unsafe (self.bytes, other.bytes)
    var offset = 0
    while offset &+ 8 <= count {
      // Within both, which are of one length, by the loop's condition.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let otherWord = unsafe otherBytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      guard word == otherWord else { return false }
      offset &+= 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset &+= 1
    }
    return true
  }
}
