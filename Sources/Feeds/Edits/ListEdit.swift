public import Nagare

/// One edit that a user has made, as the source is to make it.
public struct ListEdit: Equatable {
  /// What is done to the item.
  public enum Change {
    /// It is put in before another, first where that is nil or isn't listed; where it is listed itself, in its own place.
    case insertion(ItemList.Item, before: ItemID?)
    /// It is another from now on.
    case replacement(ItemList.Item)
    /// It is taken out.
    case removal
  }

  /// Which of the list's edits it is: the later, the higher.
  public let number: Int
  /// Which item.
  public let id: ItemID
  /// What is done to it.
  public let change: Change

  /// The input that made it.
  var trigger: String {
    switch change {
    case .insertion: "insert"
    case .replacement: "change"
    case .removal: "remove"
    }
  }

  /// Whether two are the same edit.
  public static func == (left: ListEdit, right: ListEdit) -> Bool { left.number == right.number }
}
