public import ItemList
public import WireJSON

/// A listed item with an edit that isn't finished.
public struct PendingItem: Record, Equatable, Sendable {
  /// How far an edit has come.
  public enum State: String, JSONStringEnum, Sendable {
    /// The source was asked, and hasn't answered.
    case sending
    /// The source refused the item's insertion, and the list keeps the item: ``OnFailedInsertion/keep``.
    case failed
  }

  /// The item's id.
  public let id: ItemID
  /// How far its edit has come.
  public let state: State

  /// Its fields on the wire.
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
