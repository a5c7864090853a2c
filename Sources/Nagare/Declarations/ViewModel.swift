public import Flow

/// A screen without its looks: inputs in, states and events out.
///
/// Each property of ``Input`` is a method that a frontend calls, each property of ``Output`` a notification that it
/// hears; the names on the wire are the properties' names, in their order.
///
/// ```swift
/// struct Counter: ViewModel {
///   struct Input: Ports { let increment = Trigger() }
///   struct Output: Outputs { let count: Driver<Int> }
///   struct State { var count = 0 }
///
///   func transform(_ input: Input, on clock: any Scheduler) -> Output {
///     let state = Feedback(State(), on: clock)
///     state.on(input.increment) { $0.count += 1 }
///     return Output(count: state.count)
///   }
/// }
/// ```
/// A ``Driver`` is a state: its current value is in the answer to `open`. A ``Signal`` sends events. An output that is
/// itself a structure of outputs, such as another view model's, stands for these.
public protocol ViewModel {
  /// The inputs.
  associatedtype Input: Ports
  /// The outputs: a structure of ``Driver``s and ``Signal``s.
  associatedtype Output: Outputs

  /// What `rpc.discover` says of it: a sentence for each of its inputs and outputs, by their names, and one for the whole
  /// by an empty name. None need be there.
  static var summaries: KeyValuePairs<String, String> { get }

  /// How frontends that know nothing of it show it, and what a person can do there; guessed where it is nil.
  static var display: Display? { get }

  /// Makes the inputs of one opened view. What there is by default, an `Input()`, does for all whose inputs are known
  /// without the view model's settings.
  func makeInput() -> Input

  /// Makes the outputs of one opened view. Nothing runs before the outputs are subscribed to.
  func transform(_ input: Input, on clock: any Scheduler) -> Output
}

extension ViewModel {
  /// Nothing.
  public static var summaries: KeyValuePairs<String, String> { [:] }

  /// Nil: frontends guess.
  public static var display: Display? { nil }

  /// An `Input()`.
  public func makeInput() -> Input { Input() }
}
