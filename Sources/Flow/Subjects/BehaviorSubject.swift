/// A subject that always has a value, which each new subscriber receives first.
public final class BehaviorSubject<Element>: Subject<Element> {
  @usableFromInline let latest: Box<Element>

  /// Makes a subject with a value. Subscribers receive that value if they subscribe before the first ``onNext(_:)``.
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

  /// The stream that the subject feeds. It starts with the latest value.
  @inlinable
  public override func asObservable() -> Observable<Element> {
    Observable { [subscribers, latest] sink, lifetime in
      let isOpen = !subscribers.hasEnded
      subscribers.add(sink, lifetime)
      if isOpen { sink.next(latest.value) }
    }
  }
}
