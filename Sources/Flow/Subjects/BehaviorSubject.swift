/// A subject that has a value at all times, and tells it to whoever subscribes.
public final class BehaviorSubject<Element>: Subject<Element> {
  @usableFromInline let latest: Box<Element>

  /// A subject with a value, which is told to whoever subscribes before the first ``onNext(_:)``.
  @inlinable
  public init(_ value: Element) { latest = Box(value) }

  /// The latest value.
  @inlinable
  public var value: Element { latest.value }

  /// Emits a value, unless the subject has ended.
  @inlinable
  public override func onNext(_ element: Element) {
    guard !subscribers.hasEnded else { return }
    latest.value = element
    subscribers.next(element)
  }

  /// The stream that the subject feeds, from the latest value on.
  @inlinable
  public override func asObservable() -> Observable<Element> {
    Observable { [subscribers, latest] sink, lifetime in
      let isOpen = !subscribers.hasEnded
      subscribers.add(sink, lifetime)
      if isOpen { sink.next(latest.value) }
    }
  }
}
