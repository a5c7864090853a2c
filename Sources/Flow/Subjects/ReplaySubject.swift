/// A subject that remembers the last few values, and tells them to whoever subscribes, even after the end.
public final class ReplaySubject<Element>: Subject<Element> {
  @usableFromInline let buffer: ReplayBuffer<Element>

  /// A subject that remembers so many values at most.
  @inlinable
  public init(bufferSize: Int) { buffer = ReplayBuffer(capacity: bufferSize) }

  /// Emits a value, unless the subject has ended.
  @inlinable
  public override func onNext(_ element: Element) {
    guard !subscribers.hasEnded else { return }
    buffer.append(element)
    subscribers.next(element)
  }

  /// The stream that the subject feeds. Values that are emitted while a new subscriber receives the remembered ones follow
  /// these, however many there are.
  @inlinable
  public override func asObservable() -> Observable<Element> {
    Observable { [subscribers, buffer] sink, lifetime in
      buffer.add(sink, lifetime, to: subscribers)
    }
  }
}
