extension ObservableConvertible {
  /// Lets through the values that satisfy a condition.
  ///
  /// - Parameter isIncluded: the condition.
  /// - Returns: the stream of those values.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      source.run(
        Sink { element in
          if isIncluded(element) {
            sink.next(element)
          }
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
