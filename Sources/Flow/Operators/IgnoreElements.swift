extension ObservableConvertible {
  /// Leaves out all values: only the end is told.
  ///
  /// - Returns: a stream that ends as the source does.
  @inlinable
  public func ignoreElements() -> Observable<Element> {
    ignoreElements(of: Element.self)
  }

  /// Leaves out all values: only the end is told, in a stream that fits where another type of value is wanted.
  ///
  /// - Parameter type: the type of the values that there are none of.
  /// - Returns: a stream that ends as the source does.
  @inlinable
  public func ignoreElements<Result>(of type: Result.Type) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: { _ in }, end: sink.end), lifetime)
    }
  }
}
