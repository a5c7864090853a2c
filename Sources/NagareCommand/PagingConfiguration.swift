internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// What the configurations of all screens with a list have in common.
struct PagingConfiguration: Record, Sendable {
  var options = PagingOptions()
  var detail: Reference?
  var filters = OrderedMembers<ValueOrStoreKey<RawJSON>>()
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagingConfiguration.init,
    Field(flattening: \.options),
    Field("detail", \.detail, "The screen that select opens: a name among the screens."),
    Field(
      "filters", \.filters, default: OrderedMembers(),
      "What it filters and sorts by: a value under each name, or the store's key that it follows."),
    Field("display", \.display, displaySummary))
}
