extension ObservableConvertible {
  /// Makes values of events: the end becomes a value too, after which the stream completes. It does not fail.
  @inlinable
  public func materialize() -> Observable<Event<Element>> {
    let source = asObservable()
    return Observable<Event<Element>> { sink, lifetime in
      source.run(
        Sink { element in
          sink.next(.next(element))
        } end: { failure in
          sink.end(nil, lifetime) { sink.next(Event(end: failure)) }
        }, lifetime)
    }
  }

  /// Makes events of values that are events: the reverse of ``materialize()``.
  @inlinable
  public func dematerialize<Value>() -> Observable<Value> where Element == Event<Value> {
    let source = asObservable()
    return Observable<Value> { sink, lifetime in
      let upstream = lifetime.makeChild()
      source.run(
        Sink { event in
          if case .next(let element) = event { return sink.next(element) }
          upstream.dispose()
          sink.end(event.error)
        } end: {
          sink.end($0)
        }, upstream)
    }
  }
}
