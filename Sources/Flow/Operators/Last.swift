extension ObservableConvertible {
  /// Emits the last value, if there is one, when the source has completed.
  @inlinable
  public func last() -> Observable<Element> { takeLast(1) }
}
