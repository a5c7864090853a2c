public import Flow

/// The logic of a screen, without its appearance. It receives inputs, and sends states and events.
///
/// Each property of ``Input`` is a method that a frontend calls. Each property of ``Output`` is a notification that the
/// frontend receives. Names and order on the wire are those of the properties.
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
/// A ``Driver`` is a state: the answer to `open` has its current value. A ``Signal`` sends events. A property may also
/// be a structure of outputs, such as those of another view model. Its outputs become outputs of this view model.
public protocol ViewModel {
  /// The structure of the inputs.
  associatedtype Input: Ports
  /// The structure of the outputs, which are ``Driver``s and ``Signal``s.
  associatedtype Output: Outputs

  /// Descriptions for `rpc.discover`, one sentence each: of inputs and outputs by their names, of the view model by an
  /// empty name. All are optional.
  static var summaries: KeyValuePairs<String, String> { get }

  /// How general frontends show the screen, and which actions they offer. If it is nil, they guess.
  static var display: Display? { get }

  /// Creates the inputs of a new view. The default, `Input()`, suits every view model whose inputs don't depend on its
  /// settings.
  func makeInput() -> Input

  /// Creates the outputs of a new view. No work begins before the outputs have subscribers.
  func transform(_ input: Input, on clock: any Scheduler) -> Output
}

extension ViewModel {
  /// No descriptions.
  public static var summaries: KeyValuePairs<String, String> { [:] }

  /// Nil, so frontends guess.
  public static var display: Display? { nil }

  /// Returns `Input()`.
  public func makeInput() -> Input { Input() }
}
