internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// A list of pages.
struct ListConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let query: ValueOrStoreKey<QueryText>
  let paging: PagingConfiguration

  static let fields = Fields(
    ListConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field(
      "query", \.query, default: .value(QueryText()), "What it looks for: a text, or the store's key that it follows."),
    Field(flattening: \.paging))
}

extension ListConfiguration {
  /// A list that is served where nobody has said how it is to behave: a refresh leaves its items where they are.
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
