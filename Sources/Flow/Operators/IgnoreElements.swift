extension ObservableConvertible {
  /// Leaves out all values: only the end is told.
  ///
  /// - Returns: a stream of any type that ends as the source does.
  @inlinable
  public func ignoreElements<Result>(of type: Result.Type = Element.self) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: { _ in }, end: sink.end), lifetime)
    }
  }
}
