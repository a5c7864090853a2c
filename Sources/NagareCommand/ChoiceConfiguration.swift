internal import Flow
internal import Nagare
internal import Screens
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
    Screen(name, viewModel: viewModel) { Choice(choices, select: Action(actionType), on: dispatcher) }
  }
}
