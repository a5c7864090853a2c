public import Flow
public import WireJSON

/// What several screens know in common. It changes by actions alone, and tells its state to whoever asks, the current
/// one first.
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

  /// The state.
  public let state: Driver<State>

  /// A store that takes no action yet.
  ///
  /// - Parameters:
  ///   - initial: the first state.
  ///   - dispatcher: where the actions come from.
  ///   - reset: an action that brings the first state back, such as `.logOut`; nil for none.
  public init(_ initial: State, on dispatcher: Dispatcher, resetOn reset: Action<Void>? = nil) {
    subject = BehaviorSubject(initial)
    state = subject.asDriver()
    self.dispatcher = dispatcher
    if let reset { taking(reset) { $0 = initial } }
  }

  /// Takes an action, and changes the state by what it carries; another value is refused. An action may be taken by several
  /// stores.
  @discardableResult
  public func taking<Value: Decodable>(
    _ action: Action<Value>, _ reduce: @escaping (inout State, Value) -> Void
  ) -> Store {
    taking(action.type, reading: { json throws(DecodingFailure) in try json.decode() }, reduce)
  }

  /// Takes an action that carries nothing; a value is refused.
  @discardableResult
  public func taking(_ action: Action<Void>, _ reduce: @escaping (inout State) -> Void) -> Store {
    let read = { (json: RawJSON) throws(DecodingFailure) in
      if !json.isNull { throw DecodingFailure(expected: "null, because the action has no value", in: json) }
    }
    return taking(action.type, reading: read) { state, _ in reduce(&state) }
  }

  /// Takes actions of a type whose values are read in a way of their own, which throws to refuse one.
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
