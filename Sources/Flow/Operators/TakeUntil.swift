extension ObservableConvertible {
  /// Emits values until another stream emits one, and then completes.
  ///
  /// ```
  /// source   -a-b-c-d
  /// other    ----x
  /// result   -a-b|
  /// ```
  ///
  /// The completion of the other stream changes nothing; its failure ends the result.
  ///
  /// The other stream is subscribed to before the source.
  @inlinable
  public func takeUntil(_ other: some ObservableConvertible) -> Observable<Element> {
    let source = asObservable()
    let other = other.asObservable()
    return Observable { sink, lifetime in
      let group = lifetime.makeChild()
      let trigger = group.makeChild()
      let end = { (failure: (any Error)?) in
        group.dispose()
        sink.end(failure)
      }
      other.run(
        Sink { _ in
          end(nil)
        } end: { failure in
          if let failure { return end(failure) }
          group.drop(trigger)
        }, trigger)
      source.run(Sink(next: sink.next, end: end), group)
    }
  }
}
