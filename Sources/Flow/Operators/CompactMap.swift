extension ObservableConvertible {
  /// Puts each value through a function, and leaves out those of which it makes nil.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Observable<Result> {
    eachValue { sink in { if let result = transform($0) { sink.next(result) } } }
  }
}
