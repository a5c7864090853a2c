extension ObservableConvertible {
  /// Continues with another stream if the source completes without a value.
  @inlinable
  public func ifEmpty(switchTo other: some ObservableConvertible<Element>) -> Observable<Element> {
    let source = asObservable()
    let other = other.asObservable()
    return Observable { sink, lifetime in
      let upstream = lifetime.makeChild()
      let isEmpty = Box(true)
      source.run(
        Sink { element in
          isEmpty.value = false
          sink.next(element)
        } end: { failure in
          lifetime.drop(upstream)
          if failure == nil, isEmpty.value { other.run(sink, lifetime) } else { sink.end(failure) }
        }, upstream)
    }
  }

  /// Emits a value if the source completes without one.
  @inlinable
  public func ifEmpty(default element: Element) -> Observable<Element> {
    ifEmpty(switchTo: .just(element))
  }
}
