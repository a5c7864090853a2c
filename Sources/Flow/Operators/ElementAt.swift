/// The stream had no value at an index. See ``ObservableConvertible/element(at:)``.
public struct OutOfRangeError: Error, Equatable {
  /// The requested index, from 0.
  public let index: Int

  /// Makes an error for an index.
  @inlinable
  public init(index: Int) { self.index = index }
}

extension ObservableConvertible {
  /// Emits the value at an index, from 0, and completes. It fails with ``OutOfRangeError`` if the source completes
  /// before that.
  @inlinable
  public func element(at index: Int) -> Observable<Element> {
    guard index >= 0 else { return .error(OutOfRangeError(index: index)) }
    return skip(index).take(1).ifEmpty(switchTo: .error(OutOfRangeError(index: index)))
  }
}
