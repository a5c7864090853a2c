extension ObservableConvertible {
  /// Folds the values into a state, and emits the state after each value. The initial state is not emitted.
  @inlinable
  public func scan<State>(_ initial: State, _ fold: @escaping (State, Element) -> State) -> Observable<State> {
    eachValue { sink in
      let state = Box(initial)
      return { element in
        let next = fold(state.value, element)
        state.value = next
        sink.next(next)
      }
    }
  }

  /// Folds the values into a state in place, and emits the state after each value. The state is copied only if it is
  /// also stored elsewhere.
  @inlinable
  public func scan<State>(
    into initial: State, _ fold: @escaping (inout State, Element) -> Void
  ) -> Observable<State> {
    eachValue { sink in
      var state = initial
      return { element in
        fold(&state, element)
        sink.next(state)
      }
    }
  }
}
