internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The settings that lists and searches share.
struct PagingConfiguration: Record, Sendable {
  var options = PagingOptions()
  var detail: Reference?
  var filters = OrderedMembers<ValueOrStoreKey<RawJSON>>()
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagingConfiguration.init,
    Field(flattening: \.options),
    Field("detail", \.detail, "The name of the screen that select opens."),
    Field(
      "filters", \.filters, default: OrderedMembers(),
      "The filters and the sorting: a value for each name, or the key of a store that holds it."),
    Field("display", \.display, displaySummary))
}
