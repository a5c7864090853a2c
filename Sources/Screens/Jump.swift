public import Nagare
public import Paging

/// The parameters of `jump`: a position, or an item's id.
public struct Jump: Record, Sendable {
  /// The row's position, from 0; nil if an item is named.
  public let index: Int?
  /// The item's id; nil if a position is given.
  public let id: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Jump.init,
    Field("index", \.index, "The row's position, from 0."),
    Field("id", \.id, "The item's id, in place of a position."))
}

extension ScrollTarget: Record, OutputValue {
  /// Its members on the wire.
  public static let fields = Fields(
    ScrollTarget.init(index:id:),
    Field("index", \.index, "The row's position, from 0."),
    Field(nullable: "id", \.id, "Its item's id; null where it isn't read."))

  /// An object with both members.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("ScrollTarget").described("Where to scroll to.")
    schema.properties[1].isRequired = true
    return schema
  }
}
