extension ObservableConvertible {
  /// Folds the values, and emits each state on the way.
  ///
  /// - Parameters:
  ///   - initial: the state before the first value. It is not emitted.
  ///   - fold: makes the next state of a state and a value.
  /// - Returns: the stream of states, one a value.
  @inlinable
  public func scan<State>(_ initial: State, _ fold: @escaping (State, Element) -> State) -> Observable<State> {
    let source = asObservable()
    return Observable<State> { sink, lifetime in
      let state = Box(initial)
      source.run(
        Sink { element in
          let next = fold(state.value, element)
          state.value = next
          sink.next(next)
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }

  /// Folds the values in place, and emits each state on the way. A state that nobody else keeps is not copied.
  ///
  /// - Parameters:
  ///   - initial: the state before the first value. It is not emitted.
  ///   - fold: changes the state by a value.
  /// - Returns: the stream of states, one a value.
  @inlinable
  public func scan<State>(
    into initial: State, _ fold: @escaping (inout State, Element) -> Void
  ) -> Observable<State> {
    let source = asObservable()
    return Observable<State> { sink, lifetime in
      var state = initial
      source.run(
        Sink { element in
          fold(&state, element)
          sink.next(state)
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
