public import Flow
public import RPC
public import WireJSON

/// A kind of action, with its name on the wire and the type of its value.
///
/// ```swift
/// extension Action<String> { static let selectQuery = Action("selectQuery") }
/// extension Action<Void> { static let logOut = Action("logOut") }
///
/// let search = Store(Search(), on: dispatcher, resetOn: .logOut)
///   .taking(.selectQuery) { search, query in search.query = query }
/// try dispatcher.dispatch(.selectQuery, "curry")
/// try dispatcher.dispatch(.logOut)
/// ```
public struct Action<Value>: Sendable {
  /// The name on the wire: the `type` of an action in `dispatch`.
  public let type: String

  /// A kind of action, with its name on the wire.
  public init(_ type: String) { self.type = type }
}

/// An action on the wire: the parameter of `dispatch`.
public struct AnyAction: Record {
  /// The name of the action. At least one store must handle it.
  public let type: String
  /// The value; null if the action has none.
  public let value: RawJSON

  /// The fields in JSON.
  public static let fields = Fields(
    AnyAction.init,
    Field("type", \.type, "The type of the action. A store must handle it."),
    Field("value", \.value, default: .null, "The value of the action."))

  /// Creates an action.
  public init(type: String, value: RawJSON = .null) {
    self.type = type
    self.value = value
  }
}

extension Dispatcher {
  /// Dispatches an action to the stores.
  ///
  /// - Parameters:
  ///   - action: the kind of action.
  ///   - value: the value.
  /// - Throws: ``RPCError`` with `invalidParams` if no store handles the action, a store refuses its value, or the
  ///   value can't be encoded.
  public func dispatch<Value: Encodable>(_ action: Action<Value>, _ value: Value) throws(RPCError) {
    try dispatch(action, value, for: nil)
  }

  /// Dispatches an action without a value to the stores.
  public func dispatch(_ action: Action<Void>) throws(RPCError) { try dispatch(AnyAction(type: action.type)) }

  fileprivate func dispatch<Value: Encodable>(
    _ action: Action<Value>, _ value: Value, for call: WaitingCall?
  ) throws(RPCError) {
    let json: RawJSON
    do throws(EncodingFailure) {
      json = try RawJSON(encoding: value)
    } catch {
      throw RPCError(.invalidParams, error.message)
    }
    try dispatch(AnyAction(type: action.type, value: json), for: call)
  }
}

extension Port where Value: Encodable {
  /// Dispatches each value of this input to the stores. A waiting call ends when all work that follows in views of
  /// these stores has ended.
  ///
  /// - Parameters:
  ///   - action: the kind of action that carries the value.
  ///   - dispatcher: the dispatcher of the stores.
  /// - Returns: a signal that is sent after each accepted value.
  @discardableResult
  public func dispatch(_ action: Action<Value>, to dispatcher: Dispatcher) -> Signal<Void> {
    dispatch(action, to: dispatcher) { _ in }
  }

  /// Dispatches each valid value of this input to the stores.
  ///
  /// - Parameters:
  ///   - action: the kind of action that carries the value.
  ///   - dispatcher: the dispatcher of the stores.
  ///   - check: validates a value first. The caller of the input receives the error that it throws, or a store's
  ///     refusal.
  /// - Returns: a signal that is sent after each accepted value.
  @discardableResult
  public func dispatch<Refused: Error>(
    _ action: Action<Value>, to dispatcher: Dispatcher, checking check: @escaping (Value) throws(Refused) -> Void
  ) -> Signal<Void> {
    handle { value, call in
      do {
        try check(value)
        try dispatcher.dispatch(action, value, for: call)
        return nil
      } catch {
        return error
      }
    }
    return signal.map { _ in }
  }
}

extension Port<Void> {
  /// Dispatches an action without a value at each call of this input. A waiting call ends as for an input with values.
  @discardableResult
  public func dispatch(_ action: Action<Void>, to dispatcher: Dispatcher) -> Signal<Void> {
    handle { _, call in
      do throws(RPCError) {
        try dispatcher.dispatch(AnyAction(type: action.type), for: call)
        return nil
      } catch {
        return error
      }
    }
    return signal
  }
}
