extension ObservableConvertible {
  /// Transforms each value by a function.
  @inlinable
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
    eachValue { sink in { sink.next(transform($0)) } }
  }
}
