internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The configuration of a search.
struct SearchConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let query: QueryText
  let debounce: Milliseconds
  let paging: PagingConfiguration

  static let fields = Fields(
    SearchConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "The name of the source of the pages."),
    Field("query", \.query, default: QueryText(), "The initial search text."),
    Field(
      "debounce", \.debounce, default: Milliseconds(200),
      "Milliseconds after the last search text until the search starts."),
    Field(flattening: \.paging))
}

extension SearchConfiguration {
  /// A search of a configuration that the user hasn't written. A refresh leaves its items where they are while they
  /// load again.
  init(source: String, detail: String? = nil, display: Display? = nil) {
    self.init(
      viewModel: "search", source: Reference(name: source), query: QueryText(), debounce: Milliseconds(200),
      paging: PagingConfiguration(
        options: PagingOptions(onRefresh: .revalidate), detail: detail.map(Reference.init),
        display: display.map(DisplayConfiguration.init)))
  }
}
