extension ObservableConvertible {
  /// Emits values as long as they satisfy a condition, and completes at the first that does not.
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
