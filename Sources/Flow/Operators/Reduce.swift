extension ObservableConvertible {
  /// Folds the values, and emits the last state when the source has completed.
  ///
  /// - Parameters:
  ///   - initial: the state before the first value, and the result if there is none.
  ///   - fold: makes the next state of a state and a value.
  /// - Returns: the stream of the last state.
  @inlinable
  public func reduce<State>(_ initial: State, _ fold: @escaping (State, Element) -> State) -> Observable<State> {
    let source = asObservable()
    return Observable<State> { sink, lifetime in
      let state = Box(initial)
      source.run(
        Sink { element in
          state.value = fold(state.value, element)
        } end: { failure in
          if failure == nil {
            sink.next(state.value)
          }
          if lifetime.isActive {
            sink.end(failure)
          }
        }, lifetime)
    }
  }
}
