extension ObservableConvertible {
  /// Emits values while they satisfy a condition, and completes at the first value that doesn't.
  @inlinable
  public func takeWhile(_ condition: @escaping (Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let upstream = lifetime.makeChild()
      source.run(
        Sink { element in
          if condition(element) {
            sink.next(element)
          } else if upstream.isActive {
            upstream.dispose()
            sink.end(nil)
          }
        } end: {
          sink.end($0)
        }, upstream)
    }
  }
}
