public import WireJSON

/// An item of a page that was left out, and why.
public struct RejectedItem: Hashable, Sendable {
  /// Why an item was left out.
  public enum Reason: Hashable, Sendable {
    /// It is a value, but no object.
    case notAnObject
    /// It has no member of the id's name.
    case noID
    /// Its id is neither a string nor a number.
    case unusableID(JSONKind)
    /// Its line is not JSON.
    case invalid(JSONError)
  }

  /// The item's place among those that were scanned, left out or not, from 0.
  public let index: Int
  /// Where it shows, in bytes from the start of the text.
  public let offset: Int
  /// Why the item was left out.
  public let reason: Reason

  /// Names what was rejected.
  public init(index: Int, offset: Int, reason: Reason) {
    self.index = index
    self.offset = offset
    self.reason = reason
  }

  /// The reason in words for a person, without its place.
  public var message: String {
    switch reason {
    case .notAnObject: "an item must be an object"
    case .noID: "an item has no id"
    case .unusableID(let kind): "an item's id must be a string or a number, not \(kind)"
    case .invalid(let error): error.message
    }
  }
}
