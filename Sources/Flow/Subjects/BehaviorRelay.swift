/// A ``BehaviorSubject`` that never ends.
public final class BehaviorRelay<Element>: ObservableConvertible {
  @usableFromInline let subject: BehaviorSubject<Element>

  /// Makes a relay with a value. Subscribers receive that value if they subscribe before the first ``accept(_:)``.
  @inlinable
  public init(_ value: Element) { subject = BehaviorSubject(value) }

  /// The latest value.
  @inlinable
  public var value: Element { subject.value }

  /// Emits a value.
  @inlinable
  public func accept(_ element: Element) { subject.onNext(element) }

  /// The stream that the relay feeds. It starts with the latest value.
  @inlinable
  public func asObservable() -> Observable<Element> { subject.asObservable() }
}

extension BehaviorRelay where Element: Equatable {
  /// The relay's value as a state.
  @inlinable
  public func asDriver() -> Driver<Element> { subject.asDriver() }
}
