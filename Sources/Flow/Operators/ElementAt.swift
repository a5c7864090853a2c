/// There was no value of that number. See ``ObservableConvertible/element(at:)``.
public struct OutOfRangeError: Error, Equatable {
  /// The number, counted from 0.
  public let index: Int

  /// Says that there was no such value.
  @inlinable
  public init(index: Int) { self.index = index }
}

extension ObservableConvertible {
  /// Emits the value of a number, counted from 0, and completes. It fails with ``OutOfRangeError`` if the source
  /// completes before.
  @inlinable
  public func element(at index: Int) -> Observable<Element> {
    guard index >= 0 else { return .error(OutOfRangeError(index: index)) }
    return skip(index).take(1).ifEmpty(switchTo: .error(OutOfRangeError(index: index)))
  }
}
