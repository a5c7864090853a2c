extension ObservableConvertible {
  /// Drops all values, and forwards only the end.
  @inlinable
  public func ignoreElements() -> Observable<Element> { ignoreElements(of: Element.self) }

  /// Drops all values, and forwards only the end. The result has any element type, for use with streams of that type.
  @inlinable
  public func ignoreElements<Result>(of type: Result.Type) -> Observable<Result> {
    eachValue { _ in { _ in } }
  }
}
