public import Flow
public import RPC
public import WireJSON

/// What happened, told to the stores: the parameter of `dispatch`.
public struct Action: Record {
  /// Which action; each type is known to one store or more.
  public let type: String
  /// What it carries; null where it carries nothing.
  public let value: RawJSON

  /// Its members on the wire.
  public static let fields = Fields(
    Action.init,
    Field("type", \.type, "Which action: one that a store takes."),
    Field("value", \.value, default: .null, "What the action carries."))

  /// An action.
  public init(type: String, value: RawJSON = .null) {
    self.type = type
    self.value = value
  }
}

/// Makes actions of one type and dispatches them: all that a view model needs to know of the stores it changes.
///
/// ```swift
/// let selectQuery = ActionCreator<String>("selectQuery", to: dispatcher)
/// try selectQuery("curry")
/// ```
public struct ActionCreator<Value: Encodable> {
  /// The type of the actions.
  public let type: String
  private let dispatcher: Dispatcher

  /// Makes actions of a type, which go to a dispatcher.
  public init(_ type: String, to dispatcher: Dispatcher) {
    self.type = type
    self.dispatcher = dispatcher
  }

  /// Dispatches an action.
  ///
  /// - Parameter value: what it carries.
  /// - Throws: what ``Dispatcher/dispatch(_:)`` does; ``RPCError`` with `invalidParams` if the value can't be written.
  public func callAsFunction(_ value: Value) throws(RPCError) { try dispatch(value, for: nil) }

  fileprivate func dispatch(_ value: Value, for call: WaitingCall?) throws(RPCError) {
    let json: RawJSON
    do throws(EncodingFailure) {
      json = try RawJSON(encoding: value)
    } catch {
      throw RPCError(.invalidParams, error.message)
    }
    try dispatcher.dispatch(Action(type: type, value: json), for: call)
  }
}

extension Port where Value: Encodable {
  /// Tells the stores each value. A call that waits is over when all that follows from it in the stores' followers is.
  ///
  /// - Parameters:
  ///   - action: makes the actions.
  ///   - check: validates a value first. The caller of the input receives the error that it throws, or a store's refusal.
  /// - Returns: sends when a value was taken.
  public func dispatch<Refused: Error>(
    _ action: ActionCreator<Value>, checking check: @escaping (Value) throws(Refused) -> Void
  ) -> Signal<Void> {
    handle { value, call in
      do {
        try check(value)
        try action.dispatch(value, for: call)
        return nil
      } catch {
        return error
      }
    }
    return signal.map { _ in }
  }
}
