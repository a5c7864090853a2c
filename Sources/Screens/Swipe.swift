public import Nagare

/// The parameters of `swipe`: a direction, or an item's id.
public struct Swipe: Record, Sendable {
  /// The direction of a swipe.
  public enum Direction: String, JSONStringEnum, Sendable {
    /// To the next item.
    case next
    /// To the previous item.
    case previous
  }

  /// The direction; nil if `id` is given.
  public let to: Direction?
  /// The id of the item to show; nil if `to` is given.
  public let id: ItemID?

  /// The fields in JSON.
  public static let fields = Fields(
    Swipe.init,
    Field("to", \.to, "The direction: to the next or the previous item."),
    Field("id", \.id, "The id of the item to move to."))
}
