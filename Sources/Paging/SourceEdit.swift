public import ItemList
public import WireJSON

/// An edit that a source is asked to make: `source/insert`, `source/change` or `source/remove`.
public enum SourceEdit: Sendable {
  /// What a source may be able to do.
  public enum Kind: String, JSONStringEnum, Sendable {
    /// To take an item in.
    case insert
    /// To make an item another one with the same id.
    case change
    /// To let an item go.
    case remove
  }

  /// An item is new, and stands before another; first where that is nil.
  case insert(RawJSON, before: ItemID?)
  /// An item is another than the one with its id was.
  case change(RawJSON)
  /// An item is gone.
  case remove(ItemID)

  /// What a source has to be able to do.
  public var kind: Kind {
    switch self {
    case .insert: .insert
    case .change: .change
    case .remove: .remove
    }
  }

  /// The request's method.
  public var method: String { "source/\(kind.rawValue)" }

  /// Writes the request's parameters.
  ///
  /// - Parameters:
  ///   - source: the name of the source that is asked.
  ///   - writer: takes the object.
  public func write(source: String, to writer: inout JSONWriter) {
    switch self {
    case .insert(let item, let next):
      SourceInsertParams(source: source, item: item, before: next).write(to: &writer)
    case .change(let item): SourceChangeParams(source: source, item: item).write(to: &writer)
    case .remove(let id): SourceRemoveParams(source: source, id: id).write(to: &writer)
    }
  }
}

/// The parameters of `source/insert`.
public struct SourceInsertParams: Record {
  /// The name of the source that is asked.
  public let source: String
  /// The item.
  public let item: RawJSON
  /// The item that it is to stand before; null for the first place.
  public let before: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    SourceInsertParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field("item", \.item, "The item, an object with its id."),
    Field(nullable: "before", \.before, "The item that it is to stand before; null for the first place."))
}

/// The parameters of `source/change`.
public struct SourceChangeParams: Record {
  /// The name of the source that is asked.
  public let source: String
  /// What the item is now.
  public let item: RawJSON

  /// Its members on the wire.
  public static let fields = Fields(
    SourceChangeParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field("item", \.item, "What the item with its id is now, whole."))
}

/// The parameters of `source/remove`.
public struct SourceRemoveParams: Record {
  /// The name of the source that is asked.
  public let source: String
  /// Which item.
  public let id: ItemID

  /// Its members on the wire.
  public static let fields = Fields(
    SourceRemoveParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field("id", \.id, "The item's id."))
}
