extension ObservableConvertible {
  /// Puts each value through a function, and leaves out those for which it has no result.
  ///
  /// - Parameter transform: makes a value of a value, or nil.
  /// - Returns: the stream of results.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(
        Sink { element in
          if let result = transform(element) {
            sink.next(result)
          }
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
