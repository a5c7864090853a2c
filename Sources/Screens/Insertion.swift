public import Nagare

/// The parameters of `insert`.
public struct Insertion: Record {
  /// The item.
  public let item: RawJSON
  /// The id of the item that the new one is inserted before; nil for the first position.
  public let before: ItemID?

  /// The fields in JSON.
  public static let fields = Fields(
    Insertion.init,
    Field("item", \.item, "The item: an object with its id."),
    Field("before", \.before, "The id of the item to insert before; by default the first one."))
}
