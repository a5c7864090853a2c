extension ObservableConvertible {
  /// Turns events into values. The end becomes a value, too, and then the stream completes. It never fails.
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

  /// Turns values that are events back into events: the reverse of ``materialize()``.
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
