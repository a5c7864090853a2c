/// A ``PublishSubject`` that never ends.
public final class PublishRelay<Element>: ObservableConvertible {
  @usableFromInline let subject = PublishSubject<Element>()

  /// Makes a relay without subscribers.
  @inlinable
  public init() {}

  /// Emits a value.
  @inlinable
  public func accept(_ element: Element) { subject.onNext(element) }

  /// The stream that the relay feeds.
  @inlinable
  public func asObservable() -> Observable<Element> { subject.asObservable() }

  /// The relay's values, as a signal.
  @inlinable
  public func asSignal() -> Signal<Element> { asSignal { _ in nil } }
}
