public import Nagare

/// The parameters of `jump`: a position, or an item's id.
public struct Jump: Record, Sendable {
  /// The position of the row, from 0; nil if `id` is given.
  public let index: Int?
  /// The id of the item; nil if `index` is given.
  public let id: ItemID?

  /// The fields in JSON.
  public static let fields = Fields(
    Jump.init,
    Field("index", \.index, "The position of the row, from 0."),
    Field("id", \.id, "The id of the item, in place of a position."))
}
