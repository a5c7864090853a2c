internal import Flow
internal import Nagare
internal import RPC
internal import Screens
internal import WireJSON

/// The configuration of a screen with one page, which each refresh loads again.
struct FeedConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let pageSize: Int
  var display: DisplayConfiguration?

  static let fields = Fields(
    FeedConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "The name of the source of the page."),
    Field("pageSize", \.pageSize, default: 20, "How many items are requested.").limited(to: .pageSize),
    Field("display", \.display, displaySummary))

  func screen(_ name: String, _ load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) -> Screen {
    Screen(name, viewModel: viewModel, example: FeedParameters(pageSize: nil)) { parameters in
      Feed(pageSize: parameters.pageSize ?? pageSize, load: load)
    }
  }
}

/// The settings of a feed that a client can change in `open`.
private struct FeedParameters: Record {
  let pageSize: Int?

  static let fields = Fields(
    FeedParameters.init, Field("pageSize", \.pageSize, "How many items are requested.").limited(to: .pageSize))
}
