/// A subject that says to those who are there what is said now.
public final class PublishSubject<Element>: Subject {
  @usableFromInline let subscribers = Subscribers<Element>()

  /// A subject that has said nothing yet.
  @inlinable
  public init() {}

  @inlinable
  public var hasObservers: Bool { !subscribers.isEmpty }

  @inlinable
  public func onNext(_ element: Element) {
    subscribers.next(element)
  }

  @inlinable
  public func onError(_ error: any Error) {
    subscribers.end(error)
  }

  @inlinable
  public func onCompleted() {
    subscribers.end(nil)
  }

  @inlinable
  public func asObservable() -> Observable<Element> {
    Observable { [subscribers] sink, lifetime in
      subscribers.add(sink, lifetime)
    }
  }
}
