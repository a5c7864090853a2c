internal import Flow
internal import Nagare
internal import Screens
internal import WireJSON

/// The configuration of a screen with choices.
struct ChoiceConfiguration: Record, Sendable {
  let viewModel: String
  let choices: [ChoiceItem]
  let action: String?
  let store: Reference
  var display: DisplayConfiguration?

  static let fields = Fields(
    ChoiceConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("choices", \.choices, "The choices: strings, or objects with an id."),
    Field(
      "action", \.action, "The type of the action that carries the choice; by default the path of the key."),
    Field("store", \.store, "The store's key that receives the choice: STORE.KEY."),
    Field("display", \.display, displaySummary))

  var actionType: String { action ?? store.name }

  func screen(_ name: String, on dispatcher: Dispatcher) -> Screen {
    Screen(name, viewModel: viewModel) { Choice(choices, select: Action(actionType), on: dispatcher) }
  }
}
