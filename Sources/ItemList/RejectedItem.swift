public import WireJSON

/// An item of a page that was left out, and the reason.
public struct RejectedItem: Hashable, Sendable {
  /// The reason why an item was left out.
  public enum Reason: Hashable, Sendable {
    /// The value isn't an object.
    case notAnObject
    /// The object has no field with the name of the id.
    case noID
    /// The id is neither a string nor a number.
    case unusableID(JSONKind)
    /// The item's line isn't JSON.
    case invalid(JSONError)
  }

  /// The item's index among all scanned items, including those that were left out, from 0.
  public let index: Int
  /// The offset of the fault, in bytes from the start of the text.
  public let offset: Int
  /// Why the item was left out.
  public let reason: Reason

  /// Creates a rejected item.
  public init(index: Int, offset: Int, reason: Reason) {
    self.index = index
    self.offset = offset
    self.reason = reason
  }

  /// The reason as a phrase for people, without the item's position.
  public var message: String {
    switch reason {
    case .notAnObject: "an item must be an object"
    case .noID: "an item has no id"
    case .unusableID(let kind): "an item's id must be a string or a number, not \(kind)"
    case .invalid(let error): error.message
    }
  }
}
