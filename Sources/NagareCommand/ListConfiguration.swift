internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The configuration of a list.
struct ListConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let query: ValueOrStoreKey<QueryText>
  let paging: PagingConfiguration

  static let fields = Fields(
    ListConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "The name of the source of the pages."),
    Field(
      "query", \.query, default: .value(QueryText()), "The search text, or the key of a store that holds it."),
    Field(flattening: \.paging))
}

extension ListConfiguration {
  /// A list of a configuration that the user hasn't written. A refresh leaves its items where they are while they load
  /// again.
  init(
    source: String, query: ValueOrStoreKey<QueryText> = .value(QueryText()), detail: String? = nil,
    arrivals: OnArrival = .show,
    display: Display? = nil
  ) {
    self.init(
      viewModel: "list", source: Reference(name: source), query: query,
      paging: PagingConfiguration(
        options: PagingOptions(onRefresh: .revalidate, onArrival: arrivals), detail: detail.map(Reference.init),
        display: display.map(DisplayConfiguration.init)))
  }
}
