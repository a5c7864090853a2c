extension ObservableConvertible {
  /// Makes a stream of each value, and emits the values of these streams in turn. It subscribes to each when the
  /// previous one has completed.
  ///
  /// ```
  /// source   -a-b-|
  /// of a      1--2|
  /// of b          3--4|
  /// result   -1--23--4|
  /// ```
  ///
  /// It completes when the source and all streams made of it have completed, and fails when one of them fails.
  @inlinable
  public func concatMap<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    flatMap(atMost: 1, transform)
  }
}
