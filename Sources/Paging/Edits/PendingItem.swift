public import ItemList
public import WireJSON

/// A listed item with an unfinished edit.
public struct PendingItem: Record, Equatable, Sendable {
  /// The progress of an edit.
  public enum State: String, JSONStringEnum, Sendable {
    /// The edit was sent, and the source hasn't answered.
    case sending
    /// The source refused the item's insertion, and the list keeps the item: ``OnFailedInsertion/keep``.
    case failed
  }

  /// The item's id.
  public let id: ItemID
  /// The progress of the item's edit.
  public let state: State

  /// The fields on the wire.
  public static let fields = Fields(
    PendingItem.init,
    Field("id", \.id, "The id of the item."),
    Field("state", \.state, "The state of the edit."))

  /// An object with both fields.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("PendingItem")
      .described("A listed item with an unfinished edit.")
  }
}
