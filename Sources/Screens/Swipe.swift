public import Nagare

/// The parameters of `swipe`: a direction, or an item's id.
public struct Swipe: Record, Sendable {
  /// Which way.
  public enum Direction: String, JSONStringEnum, Sendable {
    /// To the item after this one.
    case next
    /// To the item before this one.
    case previous
  }

  /// Which way; nil if an item is named.
  public let to: Direction?
  /// Which item; nil if a direction is given.
  public let id: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Swipe.init,
    Field("to", \.to, "The direction: to the next or the previous item."),
    Field("id", \.id, "The id of the item to move to."))
}
