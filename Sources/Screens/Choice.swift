public import Nagare

/// A screen with choices, such as the search condition of a list of shops. It dispatches the choice to the stores, and
/// other screens follow these. So the screens are independent of each other.
public struct Choice: ViewModel {
  /// The inputs of a choice.
  public struct Input: Ports {
    let choose = Port<ItemID>("id")

    /// Creates the ports of a view.
    public init() {}
  }

  /// The outputs of a choice.
  public struct Output: Outputs {
    let choices: Driver<[ChoiceItem]>
    let dismiss: Signal<Void>
  }

  /// Descriptions of the inputs and outputs.
  public static let summaries: KeyValuePairs = [
    "": "A choice between given values.",
    "choose":
      "Dispatches the choice to the stores. The view sends `dismiss`, and stays open until the client closes it.",
    "choices": "The choices: texts, or objects with an `id`.",
    "dismiss": "The user has chosen: the client may close the view.",
  ]

  /// The choices. No two have the same id.
  public let choices: [ChoiceItem]
  /// The action that carries the id of the user's choice.
  public let action: Action<ItemID>
  private let dispatcher: Dispatcher

  /// Creates a screen with choices.
  ///
  /// - Parameters:
  ///   - choices: the choices. No two have the same id.
  ///   - action: the action that carries the id of the user's choice.
  ///   - dispatcher: the dispatcher of the stores.
  public init(_ choices: [ChoiceItem], select action: Action<ItemID>, on dispatcher: Dispatcher) {
    self.choices = choices
    self.action = action
    self.dispatcher = dispatcher
  }

  /// Connects the input to the dispatcher. The view has no state, because the stores keep the choice.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let dismiss = input.choose.dispatch(action, to: dispatcher) { id throws(Refusal) in
      if !choices.contains(where: { $0.id == id }) { throw Refusal("id", mustBe: "the id of a choice", not: id) }
    }
    return Output(choices: .just(choices), dismiss: dismiss)
  }
}
