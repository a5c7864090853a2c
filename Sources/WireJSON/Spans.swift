extension Array<UInt8> {
  /// Copies lent bytes.
  init(copying span: Span<UInt8>) {
    self.init()
    append(copying: span)
  }

  /// Appends lent bytes.
  @inline(__always)
  mutating func append(copying span: Span<UInt8>) {
    // The lent bytes are copied at once.
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

/// Whether lent bytes are the same.
@inline(__always)
func sameBytes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}
