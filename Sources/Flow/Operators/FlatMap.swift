extension ObservableConvertible {
  /// Makes a stream of each value, and emits the values of all these streams.
  ///
  /// ```
  /// source   -a-b--|
  /// of a      -1---2|
  /// of b        -3---4|
  /// result   --1-3-2-4|
  /// ```
  ///
  /// It completes when the source and all streams made of it have completed, and fails when one of them fails.
  @inlinable
  public func flatMap<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    flatMap(atMost: .max, transform)
  }
}
