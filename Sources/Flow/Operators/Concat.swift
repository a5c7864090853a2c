extension Observable {
  /// Emits what the streams emit, each subscribed to when the one before has completed.
  ///
  /// - Parameter sources: the streams.
  /// - Returns: a stream that completes when the last of them has, and fails when one of them fails.
  @inlinable
  public static func concat(_ sources: [Observable]) -> Observable {
    Observable<Observable>.from(sources).concatMap { $0 }
  }
}

extension ObservableConvertible {
  /// Emits what the source emits, and when it has completed what another stream emits.
  ///
  /// - Parameter next: the other stream, subscribed to when the source has completed.
  /// - Returns: a stream that completes when the other has, and fails when one of them fails.
  @inlinable
  public func concat(_ next: Observable<Element>) -> Observable<Element> {
    .concat([asObservable(), next])
  }

  /// Emits what the source's streams emit, each subscribed to when the one before has completed.
  ///
  /// - Returns: a stream that completes when the source and all of its streams have, and fails when one of them fails.
  @inlinable
  public func concat<Inner>() -> Observable<Inner> where Element == Observable<Inner> {
    concatMap { $0 }
  }
}
