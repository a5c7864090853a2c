/// A subject that remembers its last values. New subscribers receive them first, even after the end.
public final class ReplaySubject<Element>: Subject<Element> {
  @usableFromInline let buffer: ReplayBuffer<Element>

  /// Makes a subject that remembers up to `bufferSize` values.
  @inlinable
  public init(bufferSize: Int) { buffer = ReplayBuffer(capacity: bufferSize) }

  /// Emits a value, unless the subject has ended.
  @inlinable
  public override func onNext(_ element: Element) {
    guard !subscribers.hasEnded else { return }
    buffer.append(element)
    subscribers.next(element)
  }

  /// The stream that the subject feeds. A new subscriber receives all remembered values before values emitted
  /// meanwhile.
  @inlinable
  public override func asObservable() -> Observable<Element> {
    Observable { [subscribers, buffer] sink, lifetime in
      buffer.add(sink, lifetime, to: subscribers)
    }
  }
}
