public import Flow
public import WireJSON

/// A state that several screens share. Only actions change it. Each subscriber receives the current state first, and
/// then each change.
///
/// ```swift
/// extension Action<String> { static let selectQuery = Action("selectQuery") }
///
/// let search = Store(Search(query: "ramen"), on: service.dispatcher)
///   .taking(.selectQuery) { search, query in search.query = query }
/// // In one screen:      try dispatcher.dispatch(.selectQuery, "curry")
/// // In another, late:   search.state.query
/// ```
public final class Store<State: Equatable> {
  private let subject: BehaviorSubject<State>
  private let dispatcher: Dispatcher

  /// The shared state.
  public let state: Driver<State>

  /// A store that handles no action yet.
  ///
  /// - Parameters:
  ///   - initial: the first state.
  ///   - dispatcher: the dispatcher of the actions.
  ///   - reset: an action that restores the first state, such as `.logOut`; nil for none.
  public init(_ initial: State, on dispatcher: Dispatcher, resetOn reset: Action<Void>? = nil) {
    subject = BehaviorSubject(initial)
    state = subject.asDriver()
    self.dispatcher = dispatcher
    if let reset { taking(reset) { $0 = initial } }
  }

  /// Handles an action with a value: `reduce` changes the state. A value of another type is refused. Several stores may
  /// handle the same action.
  @discardableResult
  public func taking<Value: Decodable>(
    _ action: Action<Value>, _ reduce: @escaping (inout State, Value) -> Void
  ) -> Store {
    taking(action.type, reading: { json throws(DecodingFailure) in try json.decode() }, reduce)
  }

  /// Handles an action without a value: `reduce` changes the state. A value is refused.
  @discardableResult
  public func taking(_ action: Action<Void>, _ reduce: @escaping (inout State) -> Void) -> Store {
    let read = { (json: RawJSON) throws(DecodingFailure) in
      if !json.isNull { throw DecodingFailure(expected: "null, because the action has no value", in: json) }
    }
    return taking(action.type, reading: read) { state, _ in reduce(&state) }
  }

  /// Handles actions of a type with custom decoding. `read` throws to refuse a value.
  @discardableResult
  public func taking<Value>(
    _ type: String, reading read: @escaping (RawJSON) throws(DecodingFailure) -> Value,
    _ reduce: @escaping (inout State, Value) -> Void
  ) -> Store {
    dispatcher.add(type) { [subject, turn = state.turn] json throws(DecodingFailure) in
      let value = try read(json)
      return { call in
        var state = subject.value
        reduce(&state, value)
        turn.call = call
        subject.onNext(state)
        turn.call = nil
      }
    }
    return self
  }
}
