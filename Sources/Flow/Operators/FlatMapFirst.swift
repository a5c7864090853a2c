extension ObservableConvertible {
  /// Makes a stream of a value, and emits what it emits; values that come before it has ended are ignored.
  ///
  /// ```
  /// source   -a-b---c-|
  /// of a      -1-2|
  /// of c            -5|
  /// result   --1-2---5|
  /// ```
  ///
  /// It completes when the source and the current stream have, and fails when one of them fails.
  @inlinable
  public func flatMapFirst<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    flatMap(atMost: 1, othersWait: false, transform)
  }
}
