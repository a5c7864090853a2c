internal import Nagare
internal import WireJSON

/// The configuration of a pager.
struct PagerConfiguration: Record, Sendable {
  let viewModel: String
  var source: Reference?
  var whole = false
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagerConfiguration.init,
    Field("viewModel", \.viewModel),
    Field(
      "source", \.source, "The source of an item that is opened by its id alone. The source must return full items."),
    Field(
      "whole", \.whole, default: false,
      "Whether the rows of its lists are summaries. Then the source is requested for the full item."),
    Field("display", \.display, displaySummary))
}

/// The parameters with which a client opens a pager.
struct PagerParameters: Record {
  let id: ItemID?
  let list: String?

  static let fields = Fields(
    PagerParameters.init,
    Field("id", \.id, "The item."),
    Field("list", \.list, "The open view whose list has the item; by default none."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties)
    schema.properties[0].isRequired = true
    return schema
  }
}
