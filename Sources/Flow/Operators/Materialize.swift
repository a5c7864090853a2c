extension ObservableConvertible {
  /// Makes values of events: the end becomes a value too, after which the stream completes.
  ///
  /// - Returns: the stream of events. It does not fail.
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    let source = asObservable()
    return Observable<Event<Element>> { sink, lifetime in
      source.run(
        Sink { element in
          sink.next(.next(element))
        } end: { failure in
          sink.next(Event(end: failure))
          if lifetime.isActive {
            sink.end(nil)
          }
        }, lifetime)
    }
  }

  /// Makes events of values that are events: the reverse of ``materialize()``.
  ///
  /// - Returns: the stream that they tell of.
  @inlinable
  public func dematerialize<Value>() -> Observable<Value> where Element == Event<Value> {
    let source = asObservable()
    return Observable<Value> { sink, lifetime in
      let upstream = lifetime.makeChild()
      source.run(
        Sink { event in
          switch event {
          case .next(let element):
            sink.next(element)
          case .error, .completed:
            upstream.dispose()
            sink.end(event.error)
          }
        } end: {
          sink.end($0)
        }, upstream)
    }
  }
}
