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
  /// The name on the wire: the `type` of `dispatch`.
  public let type: String

  /// A kind of action.
  public init(_ type: String) { self.type = type }
}

/// An action on the wire: the parameter of `dispatch`.
public struct AnyAction: Record {
  /// Which action: one that a store takes.
  public let type: String
  /// The value; null if it has none.
  public let value: RawJSON

  /// Its members on the wire.
  public static let fields = Fields(
    AnyAction.init,
    Field("type", \.type, "The type of the action. A store must handle it."),
    Field("value", \.value, default: .null, "The value of the action."))

  /// An action.
  public init(type: String, value: RawJSON = .null) {
    self.type = type
    self.value = value
  }
}

extension Dispatcher {
  /// Dispatches an action to the stores.
  ///
  /// - Parameters:
  ///   - action: which action.
  ///   - value: the value.
  /// - Throws: ``RPCError`` with `invalidParams` if no store takes it, a store can't take its value, or the value can't be
  ///   written.
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
  /// Dispatches each value to the stores. A call that waits is over when all that follows from it in the stores' followers
  /// is.
  ///
  /// - Parameters:
  ///   - action: which action carries the value.
  ///   - dispatcher: where it is dispatched.
  /// - Returns: sends when a value was taken.
  @discardableResult
  public func dispatch(_ action: Action<Value>, to dispatcher: Dispatcher) -> Signal<Void> {
    dispatch(action, to: dispatcher) { _ in }
  }

  /// Dispatches each value that is valid to the stores.
  ///
  /// - Parameters:
  ///   - action: which action carries the value.
  ///   - dispatcher: where it is dispatched.
  ///   - check: validates a value first. The caller of the input receives the error that it throws, or a store's refusal.
  /// - Returns: sends when a value was taken.
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
  /// Dispatches an action without a value to the stores with each call, as for an input with a value.
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
