/// Hash and equality of ids as they stand in the items, quotes included.
enum RawID {
  /// The same bytes give the same hash in every process: what a list does must not depend on a random seed.
  @inline(__always)
  static func hash(_ id: borrowing Span<UInt8>) -> UInt64 {
    // The pointer stays within the closure.
    unsafe id.withUnsafeBytes { bytes in
      var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: bytes.count)
      var offset = 0
      while offset &+ 8 <= bytes.count {
        // Within bounds by the loop's condition; ids have no alignment.
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        hash = mix(hash ^ word)
        offset &+= 8
      }
      var rest: UInt64 = 0
      while offset < bytes.count {
        rest = rest << 8 | UInt64(unsafe bytes[offset])
        offset &+= 1
      }
      return mix(hash ^ rest)
    }
  }

  /// Whether two ids are the same.
  @inline(__always)
  static func equal(_ first: borrowing Span<UInt8>, _ second: borrowing Span<UInt8>) -> Bool {
    first.hasBytes(of: second)
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
