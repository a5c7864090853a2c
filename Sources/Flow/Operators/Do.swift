extension ObservableConvertible {
  /// Tells of what passes, before it goes on, and changes nothing: of a subscription before the source is subscribed
  /// to, and once of its being over, after the end or because the subscriber left.
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
      if let onDispose { lifetime.add(AnyDisposable(onDispose)) }
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
