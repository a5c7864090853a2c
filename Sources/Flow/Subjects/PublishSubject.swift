/// A subject that says to those who are there what is said now.
public final class PublishSubject<Element>: Subject {
  @usableFromInline let subscribers = Subscribers<Element>()

  /// A subject that has said nothing yet.
  @inlinable
  public init() {}

  /// Whether anybody listens.
  @inlinable
  public var hasObservers: Bool { !subscribers.isEmpty }

  /// Emits a value, unless the subject has ended.
  ///
  /// - Parameter element: the value.
  @inlinable
  public func onNext(_ element: Element) {
    subscribers.next(element)
  }

  /// Ends by failure, unless the subject has ended.
  ///
  /// - Parameter error: the failure.
  @inlinable
  public func onError(_ error: any Error) {
    subscribers.end(error)
  }

  /// Ends well, unless the subject has ended.
  @inlinable
  public func onCompleted() {
    subscribers.end(nil)
  }

  /// The stream.
  ///
  /// - Returns: the stream that the subject feeds.
  @inlinable
  public func asObservable() -> Observable<Element> {
    Observable { [subscribers] sink, lifetime in
      subscribers.add(sink, lifetime)
    }
  }
}
