internal import WireJSON

/// Hash and equality of ids as they stand in the items, quotes included: by value, whatever their spelling.
enum RawID {
  /// Equal ids give the same hash. It is another in each process, so nothing that is said may hang on it.
  static func hash(_ id: borrowing Span<UInt8>) -> UInt64 { ItemID.hash(of: id) }

  /// Whether two ids are the same.
  static func equal(_ first: borrowing Span<UInt8>, _ second: borrowing Span<UInt8>) -> Bool {
    ItemID.equal(first, second)
  }
}
