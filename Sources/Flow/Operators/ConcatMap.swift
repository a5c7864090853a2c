extension ObservableConvertible {
  /// Makes a stream of each value, and emits what they emit, each subscribed to when the one before has completed.
  ///
  /// ```
  /// source   -a-b-|
  /// of a      1--2|
  /// of b          3--4|
  /// result   -1--23--4|
  /// ```
  ///
  /// It completes when the source and all streams made of it have, and fails when the first fails.
  @inlinable
  public func concatMap<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    flatMap(atMost: 1, transform)
  }
}
