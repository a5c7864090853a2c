extension ObservableConvertible {
  /// Folds the values, and emits the last state when the source has completed: the initial one if there was no value.
  @inlinable
  public func reduce<State>(_ initial: State, _ fold: @escaping (State, Element) -> State) -> Observable<State> {
    scan(initial, fold).startWith(initial).takeLast(1)
  }
}
