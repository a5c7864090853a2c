public import Flow
public import WireJSON

/// What several screens know in common. It changes by actions alone, and tells its state to whoever asks, the current
/// one first.
///
/// ```swift
/// let search = Store(Search(query: "ramen"), on: service.dispatcher)
///   .taking("selectQuery", of: String.self) { search, query in search.query = query }
/// // In one screen:      try selectQuery("curry")
/// // In another, late:   search.state.query
/// ```
public final class Store<State: Equatable> {
  private let subject: BehaviorSubject<State>
  private let dispatcher: Dispatcher

  /// The state.
  public let state: Driver<State>

  /// A store that takes no action yet, with its first state and where the actions come from.
  public init(_ initial: State, on dispatcher: Dispatcher) {
    subject = BehaviorSubject(initial)
    state = subject.asDriver()
    self.dispatcher = dispatcher
  }

  /// Takes actions of a type, and changes the state by what they carry; another value is refused. A type may be taken
  /// by several stores.
  @discardableResult
  public func taking<Value: Decodable>(
    _ type: String, of value: Value.Type, _ reduce: @escaping (inout State, Value) -> Void
  ) -> Store {
    taking(type, reading: { json throws(DecodingFailure) in try json.decode() }, reduce)
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
