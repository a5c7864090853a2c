/// A subject that remembers the last few values, and tells them to whoever subscribes, even after the end.
public final class ReplaySubject<Element>: Subject {
  @usableFromInline let subscribers = Subscribers<Element>()
  @usableFromInline let buffer: ReplayBuffer<Element>

  /// A subject that has said nothing yet.
  ///
  /// - Parameter bufferSize: how many values it remembers at most.
  @inlinable
  public init(bufferSize: Int) {
    buffer = ReplayBuffer(capacity: bufferSize)
  }

  /// Whether anybody listens.
  @inlinable
  public var hasObservers: Bool { !subscribers.isEmpty }

  /// Emits a value, unless the subject has ended.
  ///
  /// - Parameter element: the value.
  @inlinable
  public func onNext(_ element: Element) {
    guard !subscribers.hasEnded else { return }
    buffer.append(element)
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

  /// The stream. Values that come while a subscriber is told the remembered ones follow those, in order.
  ///
  /// - Returns: the stream that the subject feeds.
  @inlinable
  public func asObservable() -> Observable<Element> {
    Observable { [subscribers, buffer] sink, lifetime in
      buffer.replay(to: sink, lifetime)
      subscribers.add(sink, lifetime)
    }
  }
}
