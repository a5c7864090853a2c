extension ObservableConvertible {
  /// Calls closures for the events of a stream without changing them, each before the event is forwarded. `onSubscribe`
  /// is called before the source is subscribed to. `onDispose` is called once: after the end, or when the subscriber
  /// leaves.
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
