public import Nagare

/// A screen to choose on, such as the search condition of a list of shops. The choice goes to the stores, where other
/// screens take it from: neither knows the other.
public struct Choice: ViewModel {
  /// What a frontend does with a choice.
  public struct Input: Ports {
    let choose = Port<ItemID>("id")

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a choice says.
  public struct Output: Outputs {
    let choices: Driver<[ChoiceItem]>
    let dismiss: Signal<Void>
  }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "A choice between given values.",
    "choose":
      "Dispatches the choice to the stores. The view sends `dismiss`, and stays open until the client closes it.",
    "choices": "The choices: texts, or objects with an `id`.",
    "dismiss": "The user has chosen: the client may close the view.",
  ]

  /// What there is to choose from, each with an id of its own.
  public let choices: [ChoiceItem]
  /// The action that carries the id of what was chosen.
  public let action: Action<ItemID>
  private let dispatcher: Dispatcher

  /// A choice.
  ///
  /// - Parameters:
  ///   - choices: what there is to choose from, each with an id of its own.
  ///   - action: the action that carries the id of what was chosen.
  ///   - dispatcher: where it is dispatched.
  public init(_ choices: [ChoiceItem], select action: Action<ItemID>, on dispatcher: Dispatcher) {
    self.choices = choices
    self.action = action
    self.dispatcher = dispatcher
  }

  /// Nothing is kept here: the stores do.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let dismiss = input.choose.dispatch(action, to: dispatcher) { id throws(Refusal) in
      if !choices.contains(where: { $0.id == id }) { throw Refusal("id", mustBe: "the id of a choice", not: id) }
    }
    return Output(choices: .just(choices), dismiss: dismiss)
  }
}
