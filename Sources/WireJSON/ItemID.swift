/// The id of an item: equal to another when type and value are, whatever their spelling
/// (`"a"` is `"\u0061"`, `1` is `1.0`, and `1` is not `"1"`).
public struct ItemID: Hashable, Sendable {
  /// The id in its canonical spelling, as JSON text in UTF-8.
  public let json: [UInt8]
}
