public import Nagare

/// The parameters of `insert`.
public struct Insertion: Record {
  /// The item.
  public let item: RawJSON
  /// The item that it is to stand before; nil for the first place.
  public let before: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Insertion.init,
    Field("item", \.item, "The item: an object with its id."),
    Field("before", \.before, "The id of the item to insert before; by default the first one."))
}
