public import Paging
public import WireJSON

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
