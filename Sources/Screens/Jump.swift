public import Nagare

/// The parameters of `jump`: a position, or an item's id.
public struct Jump: Record, Sendable {
  /// The row's position, from 0; nil if an item is named.
  public let index: Int?
  /// The item's id; nil if a position is given.
  public let id: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Jump.init,
    Field("index", \.index, "The position of the row, from 0."),
    Field("id", \.id, "The id of the item, in place of a position."))
}
