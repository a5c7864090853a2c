internal import Screens
internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// A screen to choose on.
struct ChoiceConfiguration: Record, Sendable {
  let viewModel: String
  let choices: [ChoiceItem]
  let action: String?
  let store: Reference
  var display: DisplayConfiguration?

  static let fields = Fields(
    ChoiceConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("choices", \.choices, "What there is to choose from: strings, or objects with an id."),
    Field(
      "action", \.action, "The type of the action that carries what was chosen; by default the key's path."),
    Field("store", \.store, "Where what was chosen goes: STORE.KEY."),
    Field("display", \.display, displaySummary))

  var actionType: String { action ?? store.name }

  func screen(_ name: String, on dispatcher: Dispatcher) -> Screen {
    Screen(name, viewModel: viewModel) { Choice(choices, select: ActionCreator(actionType, to: dispatcher)) }
  }
}

/// A screen of one page, loaded whenever it is asked for.
struct FeedConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let pageSize: Int
  var display: DisplayConfiguration?

  static let fields = Fields(
    FeedConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where the page comes from: a name among the sources."),
    Field("pageSize", \.pageSize, default: 20, "How many items are asked for.").limited(to: .pageSize),
    Field("display", \.display, displaySummary))

  func screen(_ name: String, _ load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) -> Screen {
    Screen(name, viewModel: viewModel, example: FeedParameters(pageSize: nil)) { parameters in
      Feed(pageSize: parameters.pageSize ?? pageSize, load: load)
    }
  }
}

/// What a client may have its own way when it opens a feed.
private struct FeedParameters: Record {
  let pageSize: Int?

  static let fields = Fields(
    FeedParameters.init, Field("pageSize", \.pageSize, "How many items are asked for.").limited(to: .pageSize))
}
