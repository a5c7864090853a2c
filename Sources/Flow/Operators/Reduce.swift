extension ObservableConvertible {
  /// Folds the values into a state, and emits the last state when the source has completed. Without values that is the
  /// initial state.
  @inlinable
  public func reduce<State>(_ initial: State, _ fold: @escaping (State, Element) -> State) -> Observable<State> {
    scan(initial, fold).startWith(initial).takeLast(1)
  }
}
