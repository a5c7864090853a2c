extension ObservableConvertible {
  /// Leaves out all values: only the end is told.
  @inlinable
  public func ignoreElements() -> Observable<Element> { ignoreElements(of: Element.self) }

  /// Leaves out all values: only the end is told, in a stream that fits where another type of value is wanted.
  @inlinable
  public func ignoreElements<Result>(of type: Result.Type) -> Observable<Result> {
    eachValue { _ in { _ in } }
  }
}
