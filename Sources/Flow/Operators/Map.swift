extension ObservableConvertible {
  /// Puts each value through a function.
  ///
  /// - Parameter transform: makes a value of a value.
  /// - Returns: the stream of results.
  @inlinable
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: { sink.next(transform($0)) }, end: sink.end), lifetime)
    }
  }
}
