extension ObservableConvertible {
  /// Looks at what passes, and changes nothing.
  ///
  /// - Parameters:
  ///   - onNext: is told each value, before it goes on.
  ///   - onError: is told the failure, before it goes on.
  ///   - onCompleted: is told of the completion, before it goes on.
  ///   - onSubscribe: is told that somebody subscribes, before the source is subscribed to.
  ///   - onDispose: is told once that the subscription is over: after its end, or because the subscriber left.
  /// - Returns: the same stream.
  @inlinable
  public func `do`(
    onNext: ((Element) -> Void)? = nil,
    onError: ((any Error) -> Void)? = nil,
    onCompleted: (() -> Void)? = nil,
    onSubscribe: (() -> Void)? = nil,
    onDispose: (() -> Void)? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      onSubscribe?()
      if let onDispose {
        lifetime.add(AnyDisposable(onDispose))
      }
      source.run(
        Sink { element in
          onNext?(element)
          sink.next(element)
        } end: { failure in
          if let failure {
            onError?(failure)
          } else {
            onCompleted?()
          }
          sink.end(failure)
        }, lifetime)
    }
  }
}
