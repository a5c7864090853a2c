internal import WireJSON

/// Hash and equality of ids as they stand in the items, quotes included: by value, whatever their spelling.
enum RawID {
  /// Equal ids give the same hash, in every process: what a list does must not depend on a random seed.
  static func hash(_ id: borrowing Span<UInt8>) -> UInt64 { ItemID.hash(of: id) }

  /// Whether two ids are the same.
  static func equal(_ first: borrowing Span<UInt8>, _ second: borrowing Span<UInt8>) -> Bool {
    ItemID.equal(first, second)
  }
}

extension Span<UInt8> {
  /// Whether another span has the same bytes.
  @inline(__always)
  func hasBytes(of other: borrowing Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for position in indices where self[position] != other[position] { return false }
    return true
  }
}
