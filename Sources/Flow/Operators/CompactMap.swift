extension ObservableConvertible {
  /// Transforms each value by a function, and drops those for which it returns nil.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Observable<Result> {
    eachValue { sink in { if let result = transform($0) { sink.next(result) } } }
  }
}
