internal import Nagare
package import WireJSON

/// A configuration: sources, stores and screens.
package struct Configuration: Record {
  let schemaPlace: String?
  let sources: OrderedMembers<SourceConfiguration>
  let stores: StoreConfigurations
  let screens: OrderedMembers<ScreenConfiguration>

  package static let fields = Fields(
    Configuration.init,
    Field("$schema", \.schemaPlace, "The address of the schema of configurations, for editors."),
    Field("sources", \.sources, default: OrderedMembers(), "The sources, by name."),
    Field("stores", \.stores, default: StoreConfigurations(), "The stores, by name."),
    Field("screens", \.screens, "The screens, by name."))

  /// The JSON Schema of configuration files, as a complete document.
  static var schemaDocument: String {
    var schema = schema.closed
    schema.title = "Nagare configuration"
    schema.dialect = "http://json-schema.org/draft-07/schema#"
    return schema.json.indented
  }
}
