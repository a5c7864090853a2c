extension ObservableConvertible {
  /// Emits only the values that satisfy a condition.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Observable<Element> {
    eachValue { sink in { if isIncluded($0) { sink.next($0) } } }
  }
}
