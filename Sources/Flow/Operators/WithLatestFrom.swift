extension ObservableConvertible {
  /// Combines each value with the latest value of another stream.
  ///
  /// ```
  /// source   -a--b-c--d|
  /// other    --1----2---
  /// result   ----b-c--d|
  ///              1 1  2
  /// ```
  ///
  /// Values that come before the other stream's first value are dropped. The completion of the other stream changes
  /// nothing; its failure ends the result.
  ///
  /// The other stream is subscribed to before the source.
  @inlinable
  public func withLatestFrom<Other, Result>(
    _ other: some ObservableConvertible<Other>, _ combine: @escaping (Element, Other) -> Result
  ) -> Observable<Result> {
    let other = other.asObservable()
    if case .state(let current, _) = other.source {
      return map { combine($0, current()) }
    }
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let group = lifetime.makeChild()
      let sampled = group.makeChild()
      let latest = Box<Other?>(nil)
      let end = { (failure: (any Error)?) in
        group.dispose()
        sink.end(failure)
      }
      other.run(
        Sink {
          latest.value = $0
        } end: { failure in
          if let failure { return end(failure) }
          group.drop(sampled)
        }, sampled)
      source.run(
        Sink(
          next: { element in
            if let sample = latest.value { sink.next(combine(element, sample)) }
          }, end: end), group)
    }
  }

  /// Emits the latest value of another stream at each value of the source, until the source ends. The other stream is
  /// subscribed to before the source.
  @inlinable
  public func withLatestFrom<Other>(_ other: some ObservableConvertible<Other>) -> Observable<Other> {
    withLatestFrom(other) { _, sample in sample }
  }
}
