public import Paging
public import WireJSON

extension ScrollTarget: Record, OutputValue {
  /// The fields in JSON.
  public static let fields = Fields(
    ScrollTarget.init(index:id:),
    Field("index", \.index, "The position of the row, from 0."),
    Field(nullable: "id", \.id, "The id of the item there; null if the row isn't loaded."))

  /// An object with both fields.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("ScrollTarget").described("A row to scroll to.")
    schema.properties[1].isRequired = true
    return schema
  }
}
