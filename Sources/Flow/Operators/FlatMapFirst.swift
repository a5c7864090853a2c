extension ObservableConvertible {
  /// Makes a stream of a value, and emits its values. Values of the source are ignored until that stream has ended.
  ///
  /// ```
  /// source   -a-b---c-|
  /// of a      -1-2|
  /// of c            -5|
  /// result   --1-2---5|
  /// ```
  ///
  /// It completes when the source and the current stream have completed, and fails when one of them fails.
  @inlinable
  public func flatMapFirst<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    flatMap(atMost: 1, othersWait: false, transform)
  }
}
